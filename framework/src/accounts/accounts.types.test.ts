/** What the compiler says of accounts: each `@ts-expect-error` is a mistake that it finds, and the rest compiles. */
import test from 'node:test';
import type { Database, WriteTransaction } from '../database/database.ts';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { html } from '../http/html.ts';
import { page } from '../http/response.ts';
import { createSite } from '../site/create-site.ts';
import { accountUser } from './account-options.ts';
import { accountProfile } from './account-profile.ts';
import { createAccounts } from './accounts.ts';

test('the compiler knows the roles, the user and the transaction of accounts', () => {});

// Compiled, and never run.
export function compiled(database: Database): void {
  const accounts = createAccounts(database, {
    layout: (title, main, { session, flash }) =>
      html`<p>${flash}</p><h1>${title}, ${session?.user.name}, ${session?.user.role satisfies 'reader' | 'admin' | undefined}</h1>${main}`,
    roles: ['reader', 'admin'],
    user: accountUser(['called'], ({ called }) => ({ called: String(called) })),
    mail: (transaction: WriteTransaction, { to, subject, text }) =>
      transaction.run('insert into mails values (?, ?, ?)', [to, subject, text]),
    profile: accountProfile(defineForm({ age: textField({ label: 'Age', maxLength: 3 }) }), {
      fill: () => ({ age: '1' }),
      save: async ({ values }) => {
        values.age satisfies string;
        // @ts-expect-error The profile has no such field.
        values.name;
        return [{ field: 'username', message: 'Too much like another' }];
      },
    }),
  });
  accountProfile(defineForm({ age: textField({ label: 'Age', maxLength: 3 }) }), {
    fill: () => ({}),
    // @ts-expect-error Neither the profile nor the registration has such a field.
    save: async () => [{ field: 'name', message: 'Unknown' }],
  });
  const site = accounts.addTo(createSite(accounts.stores));
  site.get('/a', accounts.requireRole('admin'), accounts.requireRecent, ({ session }) =>
    page(
      html`${session.user.role satisfies 'reader' | 'admin'} ${session.user.called satisfies string}`,
    ),
  );
  // @ts-expect-error There is no such role.
  accounts.requireRole('king');
  // @ts-expect-error A visitor has no session.
  site.get('/b', ({ session }) => page(html`${session.user.name}`));
  // @ts-expect-error The site has sessions of other users.
  accounts.addTo(createSite(createAccounts(database, { layout: (_, main) => main }).stores));
  createAccounts(database, {
    layout: (_, main) => main,
    roles: ['reader', 'admin'],
    user: accountUser(['called'], ({ called }) => ({ called: String(called) })),
    people: {
      seenBy: 'reader',
      name: ({ called, name, role }) =>
        (called satisfies string) || (role satisfies 'reader' | 'admin') || name,
    },
    pages: {
      account: async ({ title, main }) => html`<h1>${title}</h1>${main}`,
      person: ({ person }) => html`${person?.user.called satisfies string | undefined}`,
    },
  });
  createAccounts(database, {
    layout: (_, main) => main,
    people: {
      // @ts-expect-error Nobody can have this role.
      seenBy: 'king',
      // @ts-expect-error The users have no such property.
      name: ({ called }) => called,
    },
  });
  createAccounts(database, {
    layout: (_, main) => main,
    // @ts-expect-error Nobody can have this role.
    secondFactorFor: ['king'],
  });
  // @ts-expect-error A layout is needed.
  createAccounts(database, {});
}
