/**
 * A site whose form has rows with a file each, as a process of its own: it can be killed, and its memory be told. It
 * prints its address. Arguments: the file of the database, the folder of files, and the largest size of a file.
 */
import { createSite, defineForm, formPage, html, localPath } from 'seeother';
import { createStores } from 'seeother/database';
import { fileField, rows, textField } from 'seeother/fields';
import { createFolder } from 'seeother/files';
import { serve } from 'seeother/node';
import { openSqlite } from 'seeother/sqlite';

const [databaseFile = '', folder = '', size] = process.argv.slice(2);
const maxSize = Number(size);

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
      paper: fileField({ label: 'Paper', required: 'Choose a file', maxSize }),
    },
    max: 9,
  }),
});

const stores = createStores(database, { fileStore: createFolder(folder) });
const site = createSite(stores, {
  log: false,
  errors: { report: () => {} },
  forms: { uploads: { total: 9 * maxSize } },
});
formPage(site, '/', paperForm, {
  button: 'Send',
  show: ({ formHtml }) => html`<title>Papers</title>${formHtml}`,
  async send({ values: { title, authors }, transaction }) {
    for (const [at, { name, paper }] of authors.entries()) {
      const id = await paper.keep(transaction);
      await transaction.run('insert into papers values (?, ?, ?, ?)', [title, at, name, id]);
    }
    return localPath(`/${authors.reduce((sum, { paper }) => sum + paper.size, 0)}`);
  },
});

const { url } = await serve(site, { host: '127.0.0.1', port: 0 });
process.stdout.write(`${url}\n`);
