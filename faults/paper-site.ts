/**
 * A site whose form has rows with a file each, and a field with several, as a process of its own: it can be killed, and
 * its memory be told. It prints its address. Arguments: the database, the place of files, and the largest size of a
 * file. At `/plans`, a form removes the plans of another one.
 */
import { createSite, defineForm, formPage, html, localPath } from 'seeother';
import { fileField, filesField, rows, textField } from 'seeother/fields';
import { serve } from 'seeother/node';
import { openPapers } from './paper-stores.ts';

const [database = '', place = '', size] = process.argv.slice(2);
const maxSize = Number(size);
const { stores } = await openPapers(database, place);

const paperForm = defineForm({
  title: textField({ label: 'Title', required: 'Enter a title', maxLength: 80 }),
  plans: filesField({ label: 'Plans', maxFiles: 3, maxSize: 1_000 }),
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

const site = createSite(stores, {
  log: false,
  errors: { report: () => {} },
  forms: { uploads: { total: 9 * maxSize } },
});
formPage(site, '/', paperForm, {
  button: 'Send',
  show: ({ formHtml }) => html`<title>Papers</title>${formHtml}`,
  async send({ values: { title, plans, authors }, transaction }) {
    for (const [at, { name, paper }] of authors.entries()) {
      const id = await paper.keep(transaction);
      await transaction.run('insert into papers values (?, ?, ?, ?)', [title, at, name, id]);
    }
    for (const [at, plan] of plans.entries()) {
      const id = await plan.keep(transaction);
      await transaction.run('insert into plans values (?, ?, ?)', [title, at, id]);
    }
    return localPath(`/${authors.reduce((sum, { paper }) => sum + paper.size, 0)}`);
  },
});

const title = textField({ label: 'Title', required: 'Enter a title', maxLength: 80 });
formPage(site, '/plans', defineForm({ title }), {
  button: 'Remove',
  show: ({ formHtml }) => html`<title>Plans</title>${formHtml}`,
  async send({ values: { title }, transaction }) {
    const { rows } = await transaction.run<{ readonly file: string }>(
      'delete from plans where title = ? returning file',
      [title],
    );
    for (const { file } of rows) await stores.files.remove(file, transaction);
    return localPath('/');
  },
});

const { url } = await serve(site, { host: '127.0.0.1', port: 0 });
process.stdout.write(`${url}\n`);
