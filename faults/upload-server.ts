/** A process that takes large files, for large-upload.ts: `node upload-server.ts FOLDER`. Prints its address. */
import { join } from 'node:path';
import { createSite, defineForm, formPage, html, localPath } from 'seeother';
import { createStores } from 'seeother/database';
import { fileField } from 'seeother/fields';
import { createFolder } from 'seeother/files';
import { serve } from 'seeother/node';
import { openSqlite } from 'seeother/sqlite';

const [, , folder = '.'] = process.argv;
const MAX_SIZE = 3 * 1_024 ** 3;

const database = await openSqlite(join(folder, 'site.db'));
const stores = createStores(database, { fileStore: createFolder(join(folder, 'files')) });
const form = defineForm({ file: fileField({ label: 'File', required: 'x', maxSize: MAX_SIZE }) });
const site = formPage(
  createSite(stores, { log: false, crossOrigin: false, forms: { uploads: { total: MAX_SIZE } } }),
  '/',
  form,
  {
    button: 'Send',
    show: ({ formHtml }) => html`${formHtml}`,
    send: async ({ values, transaction }) =>
      localPath(`/${values.file.size}/${await values.file.keep(transaction)}`),
  },
);
const { url } = await serve(site, { host: '127.0.0.1', port: 0 });
process.stdout.write(`${url}\n`);
