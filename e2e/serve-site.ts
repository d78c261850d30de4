/** Small sites of the framework for stories. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Context,
  createSite,
  defineForm,
  endSession,
  type Html,
  html,
  localPath,
  page,
  parseDraft,
  readDraft,
  readForm,
  seeOther,
  serializeDraft,
  startSession,
  withSession,
} from 'seeother';
import type { createStores, Database } from 'seeother/database';
import { hiddenField } from 'seeother/fields';
import { type Application, serve } from 'seeother/node';
import type { Site } from './open-site.ts';

export async function serveSite(site: Application): Promise<Site> {
  let log = '';
  const logged: Application = {
    prepare: () => site.prepare?.(),
    async handle(request) {
      const answer = await site.handle(request);
      log += `[${request.method}] ${request.path} ${answer.status}\n`;
      return answer;
    },
  };
  const server = await serve(logged, { host: '127.0.0.1', port: 0 });
  return { url: server.url, log: () => log, stop: () => server.stop(0) };
}

export interface RestartableSite extends Site {
  readonly folder: string;
  readonly database: () => Database;
  readonly restart: () => Promise<void>;
}

/** A site that keeps its address over a restart, and what it has stored in a folder of its own. */
export async function openRestartable(
  start: (folder: string) => Promise<{ readonly database: Database; readonly site: Application }>,
): Promise<RestartableSite> {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  const run = async (port: number) => {
    const { database, site } = await start(folder);
    return { database, server: await serve(site, { host: '127.0.0.1', port }) };
  };
  let { database, server } = await run(0);
  const { url } = server;
  const stop = async () => {
    await server.stop(0);
    await database.close();
  };
  return {
    url,
    folder,
    log: () => '',
    database: () => database,
    async restart() {
      await stop();
      ({ database, server } = await run(Number(new URL(url).port)));
    },
    async stop() {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The folder with the style sheet of a new project. */
export const STYLES = fileURLToPath(new URL('../create/templates/shared/public', import.meta.url));

/** A page with that style sheet. */
export function styledPage(title: string, main: Html): Html {
  return html`<!doctype html>
<html lang="en"><head><meta name="viewport" content="width=device-width"><title>${title}</title>
<link rel="stylesheet" href="/styles.css"></head>
<body><main>${main}</main></body></html>`;
}

/** A page without one. */
export function plainPage(title: string, main: Html): Html {
  return html`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>${title}</title><main><h1>${title}</h1>${main}</main></html>`;
}

const logInForm = defineForm({ draft: hiddenField() });

function logInPage(draft: string): Html {
  const field = html`<input type="hidden" name="draft" value="${draft}">`;
  return plainPage(
    'Log in',
    html`<form method="post" action="/login">${field}<button>Log in</button></form>`,
  );
}

/** Its log-in needs no password, carries what was typed without a session, and leads to `first` otherwise. */
export function createSiteWithLogIn(stores: ReturnType<typeof createStores>, first: string) {
  return createSite(stores, {
    log: false,
    errors: {
      report: () => {},
      async page({ status, title }, context: Context) {
        if (status !== 401) return page(plainPage(title, html``), status);
        const draft = await readDraft(context);
        return page(logInPage(draft === null ? '' : serializeDraft(draft)), status);
      },
    },
  })
    .get('/login', () => page(logInPage('')))
    .post('/login', readForm(logInForm), ({ form }) => {
      const draft = parseDraft(form.text.draft);
      const session = startSession({ id: 1, name: 'ada' }, { draft });
      return withSession(seeOther(localPath(draft?.path ?? first)), session);
    })
    .post('/logout', () => withSession(seeOther(localPath('/login')), endSession))
    .get('/', ({ flash }) => {
      const logOut = html`<form method="post" action="/logout"><button>Log out</button></form>`;
      return page(plainPage('Home', html`<p role="status">${flash}</p>${logOut}`));
    });
}
