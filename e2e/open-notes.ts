/**
 * A small site with one form, to which a story adds Turbo or htmx. It has no state beyond its process,
 * and nothing in its chain knows of the scripts: they get the same pages and redirects as browsers.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  createFormHandlers,
  createMemoryStores,
  createSite,
  defineForm,
  errorSummary,
  formField,
  formTitle,
  type Html,
  html,
  loadFiles,
  localPath,
  onceField,
  page,
  type SiteContext,
} from 'seeother';
import { textField } from 'seeother/fields';
import type { NonceContext, SecurityPolicy } from 'seeother/middleware';
import { serve } from 'seeother/node';
import { lintResponses } from 'seeother/testing';
import type { Site } from './open-site.ts';

/** What a site adds for its script. */
export interface Script {
  readonly policy: SecurityPolicy;
  /** The file of the script, which the site serves at `/` and its name. */
  readonly file: string;
  readonly head: (context: NonceContext) => Html;
  /** Attributes of the body and of the form, with a space before each. */
  readonly body?: Html;
  readonly form?: Html;
}

export interface NotesSite extends Site {
  /** Notes in the order in which they were added. */
  readonly notes: readonly string[];
  /** Delays all answers to valid forms until the returned function is called. */
  readonly hold: () => () => void;
}

const noteForm = defineForm({
  text: textField({ label: 'Note', required: 'Enter a note', maxLength: 100 }),
  author: textField({ label: 'Author', maxLength: 50 }),
});

const formHandlers = createFormHandlers<SiteContext<null> & NonceContext>();

export async function openNotes(script: Script): Promise<NotesSite> {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  cpSync(script.file, join(folder, basename(script.file)));
  const lines: string[] = [];
  const notes: string[] = [];
  let held: Promise<void> | null = null;

  const frame = (context: NonceContext, title: string, main: Html) => html`<!doctype html>
<html lang="en"><head><title>${title}</title>${script.head(context)}</head>
<body${script.body}><main>${main}</main></body></html>`;

  const addNote = formHandlers(noteForm, {
    name: 'addNote',
    page: '/notes/new',
    show({ form, errors, ...context }) {
      const main = html`<h1>Add a note</h1>${errorSummary(form)}
<form method="post" action="/notes" novalidate${script.form}>${onceField(form)}
${formField(form, 'text')}${formField(form, 'author')}<button>Save</button></form>`;
      return frame(context, formTitle('Add a note', form), main);
    },
    async act({ values, once }) {
      const answer = await once(async () => localPath(`/notes/${notes.push(values.text)}`));
      await held;
      return answer;
    },
  });

  const site = createSite(createMemoryStores(), {
    around: [lintResponses],
    log: { write: (line) => lines.push(line) },
    headers: { policy: script.policy },
    errors: {
      page: ({ message, status }) => page(html`<h1>${message}</h1>`, status),
      report: ({ status, message }) => lines.push(`${status} ${message}`),
    },
    files: loadFiles(folder),
  })
    .get('/notes', (context) =>
      page(
        frame(
          context,
          'Notes',
          html`<h1>Notes</h1><p>There are ${notes.length} notes.</p><a href="/notes/new">Add a note</a>`,
        ),
      ),
    )
    .get('/notes/new', addNote.show)
    .post('/notes', ...addNote.post)
    .get('/notes/:number<int>', (context) => {
      const { number } = context.params;
      const main = html`<h1>Note ${number}</h1><p>${notes[number - 1]}</p>
<a href="/notes">All notes</a>`;
      return page(frame(context, `Note ${number}`, main));
    });

  const server = await serve(site, { host: '127.0.0.1', port: 0 });
  return {
    url: server.url,
    notes,
    log: () => lines.join('\n'),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    async stop() {
      await server.stop(0);
      rmSync(folder, { recursive: true });
    },
  };
}
