/**
 * A small site with accounts, in the style sheet of a new project: notes for users, and a note that needs a recent
 * log-in. Its clock can be put forward, and its mails are collected.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import {
  type AnyFilledForm,
  createSite,
  defineForm,
  formPage,
  formTitle,
  type Html,
  html,
  loadFiles,
  localPath,
  page,
  requireSession,
  type SessionContext,
} from 'seeother';
import { type AccountMail, type AccountProvider, createAccounts } from 'seeother/accounts';
import { textField } from 'seeother/fields';
import type { Passkeys } from 'seeother/passkeys';
import { openSqlite } from 'seeother/sqlite';
import { bodyText, createVisitor } from 'seeother/testing';
import { totp } from 'seeother/totp';
import { send } from './browser.ts';
import type { Site } from './open-site.ts';
import { STYLES, serveSite } from './serve-site.ts';

export const PASSWORD = 'three words in a row';

export interface AccountSite extends Site {
  readonly mails: readonly AccountMail[];
  /** In the order in which they were added. */
  readonly notes: readonly string[];
  /** Puts the clock forward. */
  readonly pass: (milliseconds: number) => void;
  readonly now: () => number;
  /** Makes an account, the first one as an administrator. */
  readonly register: (username: string, email?: string) => Promise<void>;
  /** Adds one-time codes to the account. */
  readonly switchOnCodes: (
    username: string,
  ) => Promise<{ readonly secret: string; readonly codes: readonly string[] }>;
  /** Logs in with the password on a page that shows the form. */
  readonly logInAs: (username: string, page: Page) => Promise<void>;
  /** The path of an invitation. */
  readonly invite: () => Promise<string>;
  /** The path of the link in the last mail. */
  readonly linkOfMail: () => string;
}

type Shown = Partial<SessionContext> & { readonly form?: AnyFilledForm };

/** The layout of a new project. */
function layout(title: string, main: Html, { session, flash, form }: Shown): Html {
  const account =
    session === null
      ? html`<a href="/login">Log in</a>`
      : session &&
        html`<a href="/account">${session.user.name}</a>
<form method="post" action="/logout"><button>Log out</button></form>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${formTitle(title, form)}</title>
<link rel="stylesheet" href="/styles.css">
</head>
<body>
<nav>
<a href="/">Notes</a>
${account}
</nav>
<main>
<h1>${title}</h1>
${flash && html`<p role="status" tabindex="-1" autofocus>${flash}</p>`}
${main}
</main>
</body>
</html>
`;
}

/** At `localhost` if it has passkeys: no IP address has them. */
export async function openAccountSite({
  passkeys,
  providers = [],
}: {
  readonly passkeys?: Passkeys;
  readonly providers?: readonly AccountProvider[];
} = {}): Promise<AccountSite> {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  const database = await openSqlite(join(folder, 'site.db'));
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const mails: AccountMail[] = [];
  const notes: string[] = [];
  const accounts = createAccounts(database, {
    layout,
    name: 'Notes',
    roles: ['member', 'admin'],
    mail: async (transaction, mail) =>
      transaction.onCommit(() => {
        mails.push(mail);
      }),
    // Hashes that cost little.
    passwords: { hashes: { algorithm: 'scrypt', scrypt: { ln: 1, r: 8, p: 1 } } },
    totp: totp(),
    people: { seenBy: 'member' },
    ...(passkeys && { passkeys }),
    providers,
    secrets: 'a secret of these stories, with enough characters',
    now,
  });
  const site = accounts
    .addTo(
      createSite(accounts.stores, {
        log: false,
        session: { now },
        files: loadFiles(STYLES),
        errors: { layout: (title, main) => layout(title, main, {}), report: () => {} },
      }),
    )
    .get('/', (context) => {
      const main = html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>
<p><a href="/notes">Add a note</a></p>`;
      return page(layout('Notes', main, context));
    })
    .get('/people-only', accounts.requireRole('admin'), (context) =>
      page(layout('For administrators', html``, context)),
    );
  const noteForm = defineForm({
    note: textField({ label: 'Note', required: 'Enter a note', maxLength: 100 }),
  });
  for (const path of ['/notes', '/notes/recent'] as const) {
    formPage(site, path, noteForm, {
      button: 'Add note',
      middleware: [path === '/notes' ? requireSession : accounts.requireRecent],
      show: ({ formHtml, ...context }) => layout('Add a note', formHtml, context),
      send({ transaction, values }) {
        transaction.onCommit(() => {
          notes.push(values.note);
        });
        return { path: localPath('/'), message: 'The note was added.' };
      },
    });
  }

  const linkOfMail = () => {
    const found = /^https?:\/\/[^/]+(\/\S+)$/m.exec(mails.at(-1)?.text ?? '');
    if (found?.[1] === undefined) throw new Error('The last mail has no link.');
    return found[1];
  };
  let isFirst = true;
  const served = await serveSite(site);
  const url = passkeys === undefined ? served.url : served.url.replace('127.0.0.1', 'localhost');
  return {
    ...served,
    url,
    mails,
    notes,
    now: () => now().getTime(),
    pass(milliseconds) {
      ahead += milliseconds;
    },
    async register(username, email) {
      const visitor = createVisitor(site);
      const path = isFirst ? '/register' : await accounts.invite('member');
      isFirst = false;
      await visitor.submit(path, { username, password: PASSWORD, passwordagain: PASSWORD });
      if (email === undefined) return;
      await visitor.submit('/account/email', { email });
      await visitor.submit(linkOfMail(), {});
    },
    async switchOnCodes(username) {
      const visitor = createVisitor(site);
      await visitor.submit('/login', { username, password: PASSWORD });
      const form = await visitor.get('/account/second-factor');
      const shown = bodyText(form);
      const secret = /<code>([A-Z2-7 ]{32,})</.exec(shown)?.[1]?.replaceAll(' ', '') ?? '';
      const codes = [...shown.matchAll(/<li><code>([A-Z-]+)</g)].map(([, code = '']) => code);
      const code = new TOTP({ secret }).generate({ timestamp: now().getTime() });
      const { status } = await visitor.submit(form, { code });
      if (status !== 303) throw new Error(`The codes of ${username} were not switched on.`);
      // The code of this step is used up.
      ahead += 30_000;
      return { secret, codes };
    },
    async logInAs(username, page) {
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await send(page, 'Log in');
    },
    invite: () => accounts.invite('member'),
    linkOfMail,
    async stop() {
      await served.stop();
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
