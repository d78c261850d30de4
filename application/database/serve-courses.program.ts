/**
 * A child process with a form whose choices are rows: to book a course takes its row away. It ends itself with SIGKILL
 * while the form is carried out, or after that and before the answer.
 */
import { createSite, defineForm, formPage, html, localPath, type Middleware } from 'seeother';
import { createStores } from 'seeother/database';
import { choiceField, textField } from 'seeother/fields';
import { serve } from 'seeother/node';
import { openBareDatabase } from '../testing/open-bare-database.ts';

const [url = '', end = ''] = process.argv.slice(2);
const die = (when: string) => {
  if (when === end) process.kill(process.pid, 'SIGKILL');
};

const database = await openBareDatabase(url);
const site = createSite(createStores(database), { log: false });
const dieAfter: Middleware = async (context, next) => {
  const response = await next(context);
  if (context.request.method === 'POST') die('after');
  return response;
};

interface Course {
  readonly title: string;
}

formPage(
  site,
  '/book',
  async () => {
    const { rows } = await database.read.run<Course>('select title from courses', []);
    return defineForm({
      course: choiceField({
        label: 'Course',
        required: 'Choose a course',
        choices: rows.map(({ title }) => ({ value: title, label: title })),
      }),
      note: textField({ label: 'Note', maxLength: 99 }),
    });
  },
  {
    middleware: [dieAfter],
    button: 'Book',
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    async send({ values: { course }, transaction }) {
      await transaction.run(`insert into bookings values ('${course}')`);
      await transaction.run(`delete from courses where title = '${course}'`);
      die('inside');
      return localPath('/booked');
    },
  },
);

const server = await serve(site, { host: '127.0.0.1', port: 0 });
process.stdout.write(`${server.url}\n`);
