/** A site with accounts for tests: notes for users, a page for a recent log-in, one for administrators. */
import test, { type TestContext } from 'node:test';
import type { Database, WriteTransaction } from '../database/database.ts';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { page } from '../http/response.ts';
import { requireSession } from '../session/require-session.ts';
import { createSite, type SiteOptions } from '../site/create-site.ts';
import { formPage } from '../site/form-page.ts';
import { createVisitor } from '../testing/visitor.ts';
import { createFolder } from '../upload/create-folder.ts';
import type { AccountEvent } from './account-events.ts';
import type { AccountMail, AccountOptions } from './account-options.ts';
import { createAccounts } from './accounts.ts';

export const PASSWORD = 'three words in a row';
export type Role = 'reader' | 'editor' | 'admin';

export interface Given extends Partial<AccountOptions<WriteTransaction, Role>> {
  /** By default mails are collected. */
  readonly hasMail?: boolean;
  readonly site?: SiteOptions;
  /** Where the files of drafts would be. */
  readonly folder?: string;
}

export function createAccountSite(database: Database, given: Given = {}) {
  const { hasMail = true, site: siteOptions = {}, folder = 'files', ...options } = given;
  const mails: AccountMail[] = [];
  const events: AccountEvent[] = [];
  const notes: string[] = [];
  const accounts = createAccounts(database, {
    layout: (title, main, { flash }) =>
      html`<!doctype html><html lang="en"><title>${title}</title><p role="status">${flash}</p><h1>${title}</h1>${main}</html>`,
    roles: ['reader', 'editor', 'admin'],
    // Hashes that cost nothing.
    passwords: { hashes: { algorithm: 'scrypt', scrypt: { ln: 1, r: 8, p: 1 } } },
    stores: { fileStore: createFolder(folder) },
    ...(hasMail
      ? {
          mail: async (transaction, mail) =>
            transaction.onCommit(() => {
              mails.push(mail);
            }),
        }
      : {}),
    onEvent: (event) => {
      events.push(event);
    },
    ...options,
  });
  const empty = createSite(accounts.stores, {
    log: false,
    errors: { report: () => {} },
    ...(siteOptions as object),
  });
  const site = accounts
    .addTo(empty)
    .get('/', ({ session, flash }) =>
      page(html`<p role="status">${flash}</p><p>Hello, ${session?.user.name ?? 'visitor'}.</p>`),
    )
    .get('/danger', requireSession, accounts.requireRecent, () => page(html`<h1>Danger</h1>`))
    .get('/people-only', accounts.requireRole('editor'), ({ session }) =>
      page(html`<h1>For ${session.user.role}s</h1>`),
    );
  const noteForm = defineForm({
    note: textField({ label: 'Note', required: 'Enter a note', maxLength: 100 }),
  });
  formPage(site, '/notes', noteForm, {
    button: 'Add',
    middleware: [requireSession],
    show: ({ formHtml }) => html`<h1>Notes</h1>${formHtml}`,
    send({ transaction, values }) {
      transaction.onCommit(() => {
        notes.push(values.note);
      });
      return { path: localPath('/'), message: 'The note was added.' };
    },
  });
  formPage(site, '/danger/notes', noteForm, {
    button: 'Add',
    middleware: [requireSession, accounts.requireRecent],
    show: ({ formHtml }) => html`<h1>Dangerous notes</h1>${formHtml}`,
    send({ transaction, values }) {
      transaction.onCommit(() => {
        notes.push(values.note);
      });
      return { path: localPath('/'), message: 'The note was added.' };
    },
  });

  /** Registers the first account, or with an invitation for the role. */
  const register = async (username: string, role?: Role) => {
    const visitor = createVisitor(site);
    const path = role === undefined ? '/register' : await accounts.invite(role);
    const fields = { username, password: PASSWORD, passwordagain: PASSWORD };
    const answer = await visitor.submit(path, fields);
    if (answer.status !== 303) throw new Error(`${username} could not register: ${answer.body}`);
    return visitor;
  };
  /** The path of the link in the last mail. */
  const linkOfMail = (): string => {
    const found = /^https?:\/\/[^/]+(\/\S+)$/m.exec(mails.at(-1)?.text ?? '');
    if (found?.[1] === undefined) throw new Error('No mail has a link.');
    return found[1];
  };
  return { accounts, site, mails, events, notes, register, linkOfMail };
}

export const OWN_TABLES = { accounts: 'people', sessions: 'logins' };

/** For a test that passes `nextId`: with a column `called`. */
export async function createOwnTables(database: Database): Promise<void> {
  await database.write(async ({ run }) => {
    await run(`create table people (id integer primary key, username text not null,
      username_key text not null unique, email text, email_key text unique,
      password_hash text not null, password_expires_at text, role text not null,
      version integer not null default 1, created_at text not null, disabled_at text,
      handle text not null unique, totp text, totp_step integer not null default 0,
      second_factor integer not null default 0, called text not null default '')`);
    await run(`create table logins (key text primary key, account_id integer not null,
      started_at text not null, seen_at text not null, ends_at text not null,
      remembered integer not null, agent text not null, address text not null,
      flashes text not null, draft text not null, superseded integer not null)`);
  });
}

/** Opens the site of a story, on a database of its own. */
export type OpenSite = (
  given?: Given,
) => Promise<ReturnType<typeof createAccountSite> & { readonly database: Database }>;

/** What registers the stories of a contract. `name` is that of the engine. */
export function createStory(name: string, openDatabase: (t: TestContext) => Promise<Database>) {
  return (what: string, tell: (open: OpenSite, t: TestContext) => Promise<void>) =>
    test(`${name}: ${what}`, (t) =>
      tell(async (given) => {
        const database = await openDatabase(t);
        return { database, ...createAccountSite(database, given) };
      }, t));
}
