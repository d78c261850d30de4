/**
 * A site with a long form that is saved while one types. As a child process it ends itself with SIGKILL while the form
 * is carried out, before or after what was saved is removed, or after that and before the answer.
 */
import {
  createSite,
  defineForm,
  formPage,
  HttpError,
  html,
  json,
  jsonOnce,
  localPath,
  type Middleware,
  renewSession,
  seeOther,
  startSession,
  text,
  withSession,
} from 'seeother';
import { createStores, type Database, type WriteTransaction } from 'seeother/database';
import { textField, wholeNumberField } from 'seeother/fields';
import { english, german } from 'seeother/languages';
import { serve } from 'seeother/node';
import { openBareDatabase } from '../testing/open-bare-database.ts';

/** Before a value is stored, and after; before the answer. */
export type Moment = 'before' | 'after' | 'answer';

const reportForm = defineForm({
  title: textField({ label: 'Title', required: 'Enter a title', maxLength: 80 }),
  amount: wholeNumberField({ label: 'Amount', min: 0, max: 1_000_000, default: null }),
});

/** `at` is awaited at each moment of the request, with its path. */
export function createReports(database: Database, at: (moment: Moment) => unknown = () => {}) {
  const stores = createStores(database);
  const values = {
    ...stores.values,
    async put(...args: Parameters<typeof stores.values.put>) {
      await at('before');
      await stores.values.put(...args);
      await at('after');
    },
  };
  const insert = ({ run }: WriteTransaction, title: string) =>
    run('insert into reports values (?)', [title]);
  const site = createSite(
    { ...stores, values },
    {
      log: false,
      errors: { report: () => {} },
      languages: [english, german],
      forms: { script: true },
    },
  )
    .post('/login/:id<int>', ({ params: { id } }) =>
      withSession(seeOther(localPath('/report')), startSession({ id, name: `user ${id}` })),
    )
    .post('/renew', () => withSession(seeOther(localPath('/report')), renewSession))
    .post('/api', async (context) =>
      jsonOnce(context, async (transaction) => {
        await insert(transaction, 'by a program');
        const { rows } = await transaction.run('select count(*) as n from reports');
        return json({ count: Number(rows[0]?.['n']) }, 201);
      }),
    );
  const beforeAnswer: Middleware = async (context, next) => {
    const response = await next(context);
    if (context.request.method === 'POST') await at('answer');
    return response;
  };
  formPage(site, '/report', reportForm, {
    button: 'Send',
    autosave: { days: 2 },
    middleware: [beforeAnswer],
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    async send({ values: { title }, transaction }) {
      await insert(transaction, title);
      if (title === 'throws') throw new Error('a bug');
      if (title === 'changed') throw new HttpError(409, 'The record has changed.');
      if (title === 'stale')
        return { errors: [{ field: null, message: 'The record has changed' }], status: 409 };
      return localPath('/done');
    },
  });
  return site.get('/done', () => text('done'));
}

if (import.meta.main) {
  const [url = '', end = ''] = process.argv.slice(2);
  // The first value is what is saved, and the second one says that the form has ended.
  let puts = 0;
  const site = createReports(await openBareDatabase(url), (moment) => {
    if (moment === 'before') puts++;
    if (puts > 1 && moment === end) process.kill(process.pid, 'SIGKILL');
  });
  const server = await serve(site, { host: '127.0.0.1', port: 0 });
  process.stdout.write(`${server.url}\n`);
}
