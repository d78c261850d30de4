/** A site whose form has rows with a file each. It runs as a process of its own, so that it can be killed. */
import { createSite, defineForm, formPage, html, localPath } from 'seeother';
import { createStores } from 'seeother/database';
import { fileField, rows, textField } from 'seeother/fields';
import { createFolder } from 'seeother/files';
import { serve } from 'seeother/node';
import { openSqlite } from 'seeother/sqlite';

const [databaseFile = '', folder = ''] = process.argv.slice(2);

const database = await openSqlite(databaseFile, {
  async migrate({ run }) {
    await run('create table if not exists papers (title text, at integer, name text, file text)');
  },
});

const paperForm = defineForm({
  title: textField({ label: 'Title', required: 'Enter a title', maxLength: 80 }),
  authors: rows({
    label: 'Authors',
    name: 'Author',
    fields: {
      name: textField({ label: 'Name', required: 'Enter a name', maxLength: 80 }),
      paper: fileField({ label: 'Paper', required: 'Choose a file', maxSize: 200_000 }),
    },
    max: 9,
  }),
});

const stores = createStores(database, { fileStore: createFolder(folder) });
const site = createSite(stores, { log: false, errors: { report: () => {} } });
formPage(site, '/', paperForm, {
  button: 'Send',
  show: ({ formHtml }) => html`<title>Papers</title>${formHtml}`,
  async send({ values: { title, authors }, transaction }) {
    for (const [at, { name, paper }] of authors.entries()) {
      const id = await paper.keep(transaction);
      await transaction.run('insert into papers values (?, ?, ?, ?)', [title, at, name, id]);
    }
    return localPath('/sent');
  },
});

const { url } = await serve(site, { host: '127.0.0.1', port: 0 });
process.stdout.write(`${url}\n`);
