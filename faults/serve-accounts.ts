/** A site with accounts, whose mails and notes are rows of its database: a process to kill. Prints its address. */
import { join } from 'node:path';
import { createSite, defineForm, formPage, html, localPath, page, requireSession } from 'seeother';
import { createAccounts } from 'seeother/accounts';
import { textField } from 'seeother/fields';
import { createFolder } from 'seeother/files';
import { serve } from 'seeother/node';
import { totp } from 'seeother/totp';
import { openBareDatabase } from '../application/testing/open-bare-database.ts';

if (import.meta.main) {
  const [url = '', port = '0', folder = ''] = process.argv.slice(2);
  const database = await openBareDatabase(url);
  await database.write(async ({ run }) => {
    await run('create table if not exists mails (recipient text not null, content text not null)');
    await run('create table if not exists notes (note text not null)');
  });
  const accounts = createAccounts(database, {
    layout: (title, main) =>
      html`<!doctype html><html lang="en"><title>${title}</title>${main}</html>`,
    registration: 'invitation',
    passwords: { hashes: { algorithm: 'scrypt', scrypt: { ln: 8, r: 8, p: 1 } } },
    totp: totp(),
    secrets: 'a secret of this fault, with enough characters',
    stores: { fileStore: createFolder(join(folder, 'files')) },
    mail: ({ run }, { to, text }) => run('insert into mails values (?, ?)', [to, text]),
  });
  const site = accounts
    .addTo(createSite(accounts.stores, { log: false, errors: { report: () => {} } }))
    .get('/', ({ session }) => page(html`Hello, ${session?.user.name ?? 'visitor'}.`))
    .get('/invitation', async () => page(html`${await accounts.invite('member')}`));
  formPage(site, '/notes', defineForm({ note: textField({ label: 'Note', maxLength: 100 }) }), {
    button: 'Add',
    middleware: [requireSession],
    show: ({ formHtml }) => html`${formHtml}`,
    async send({ transaction, values }) {
      await transaction.run('insert into notes values (?)', [values.note]);
      return localPath('/');
    },
  });
  // Each person of the fault comes from another network.
  const trust = { isProxy: (address: string) => address.startsWith('127.'), scheme: null };
  const server = await serve(site, { host: '127.0.0.1', port: Number(port), trust });
  process.stdout.write(`${server.url}\n`);
}
