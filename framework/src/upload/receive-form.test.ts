import assert from 'node:assert/strict';
import { createHash, hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { formField } from '../form/form-markup.ts';
import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { text } from '../http/response.ts';
import { onlyOnce } from '../once/only-once.ts';
import { toFetchHandler } from '../server/fetch-handler.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { post, request } from '../testing/make-request.ts';
import { storedKeys } from '../testing/stored-keys.ts';
import { createTestFolder } from '../testing/test-folder.ts';
import { bodyText, hiddenFields, toFormData } from '../testing/visitor.ts';
import { createFolder } from './create-folder.ts';
import { fileField } from './file-field.ts';
import { Files } from './files.ts';
import { createMemoryFileRecords } from './memory-file-records.ts';

const MAX_SIZE = 100_000;

const form = defineForm({
  title: textField({ label: 'Title', required: 'Enter a title', maxLength: 20 }),
  list: fileField({
    label: 'List',
    required: 'Choose a file',
    maxSize: MAX_SIZE,
    accept: ['.csv'],
  }),
});

/** A site that stores files below a folder of its own, and answers with what it has received. */
async function createUploadSite(t: TestContext) {
  const directory = createTestFolder(t);
  const folder = join(directory, 'files');
  const files = new Files(createFolder(folder), createMemoryFileRecords());
  const stores = { ...createMemoryStores(), files };
  const ids: string[] = [];
  let count = 0;
  const site = createSite(stores, { log: false, errors: { report: () => {} }, crossOrigin: false })
    .post('/lists', readForm(form), async ({ form, validation, status }) => {
      if (!validation.valid) {
        const fields = form.definition.names.map((name) => formField(form, name).markup);
        return text(fields.join('\n'), status);
      }
      const { title, list } = validation.values;
      await list.saveTo(join(directory, 'saved'));
      const { name, type, size, sha256 } = list;
      return text(JSON.stringify({ title, name, type, size, sha256 }));
    })
    .post('/once', readForm(form), onlyOnce(stores.receipts), ({ once, validation }) =>
      once(async (transaction) => {
        if (validation.valid) ids.push(await validation.values.list.keep(transaction));
        return localPath(`/lists/${++count}`);
      }),
    );
  return { site, directory, files, ids, stored: () => storedKeys(folder) };
}

/** What the page sends for the file that it shows as chosen. */
const listOf = (markup: string) => `${hiddenFields(markup)['list']}`;

const csv = (content: string, name = 'things.csv') =>
  new File([content], name, { type: 'text/csv' });

test('the action gets the file and the text, with their types', async (t) => {
  const { site, directory } = await createUploadSite(t);
  const content = 'x'.repeat(MAX_SIZE);
  const answer = await site.handle(
    post('/lists', toFormData({ title: 'Größe', list: csv(content) })),
  );
  assert.equal(answer.status, 200, await bodyText(answer));
  assert.deepEqual(JSON.parse(await bodyText(answer)), {
    title: 'Größe',
    name: 'things.csv',
    type: 'text/csv',
    size: MAX_SIZE,
    sha256: createHash('sha256').update(content).digest('hex'),
  });
  assert.equal(await readFile(join(directory, 'saved'), 'utf8'), content);
});

test('a file that is not kept ends with the answer', async (t) => {
  const { site, stored } = await createUploadSite(t);
  await site.handle(post('/lists', toFormData({ title: 'One', list: csv('a,b') })));
  assert.deepEqual(await stored(), []);
});

test('a kept file is found by its id until it is removed', async (t) => {
  const { site, files, ids, stored } = await createUploadSite(t);
  await site.handle(post('/once', toFormData({ title: 'One', list: csv('a,b') })));
  const [id = ''] = ids;
  await files.removeExpired(new Date(8.64e15));
  const { key = '', name } = (await files.find(id)) ?? {};
  assert.equal(name, 'things.csv');
  for await (const chunk of files.bytes.read(key)) assert.equal(`${chunk}`, 'a,b');
  await files.remove(id, null);
  assert.equal(await files.find(id), null);
  await files.removeExpired();
  assert.deepEqual(await stored(), []);
});

test('a form that is sent twice keeps one file', async (t) => {
  const { site, stored, ids } = await createUploadSite(t);
  const fields = { _once: 'key', title: 'x', list: csv('one') };
  const sent = [post('/once', toFormData(fields)), post('/once', toFormData(fields))];
  await Promise.all(sent.map((one) => site.handle(one)));
  assert.equal(ids.length, 1);
  assert.equal((await stored()).length, 1);
});

test('a form without a file is refused at the field, and the text comes back', async (t) => {
  const { site } = await createUploadSite(t);
  const answer = await site.handle(
    post('/lists', toFormData({ title: 'Mine', list: csv('', '') })),
  );
  assert.equal(answer.status, 400);
  const markup = await bodyText(answer);
  assert.match(markup, /value="Mine"/);
  assert.match(markup, /<span class="visually-hidden">Error:<\/span> Choose a file<\/p>/);
  assert.match(markup, /<input type="file" id="list" name="list" accept="\.csv" aria-describedby/);
});

test('a file of a refused form is parked, shown as chosen, and sent with it again', async (t) => {
  const { site } = await createUploadSite(t);
  const refused = await site.handle(
    post('/lists', toFormData({ title: '', list: csv('a,b', 'a "b".csv') })),
  );
  assert.equal(refused.status, 400);
  const markup = await bodyText(refused);
  assert.match(markup, /a &quot;b&quot;\.csv, 3 bytes/);
  assert.match(markup, /value="remove list">Remove</);
  const list = listOf(markup);
  // As a browser sends it if no other file is chosen.
  const again = post('/lists', toFormData({ title: 'One', list: [list, csv('', '')] }));
  const answer = await site.handle(again);
  assert.equal(answer.status, 200, await bodyText(answer));
  const { name, size, sha256 } = JSON.parse(await bodyText(answer));
  assert.deepEqual([name, size, sha256], ['a "b".csv', 3, hash('sha256', 'a,b')]);
});

test('another file replaces the parked one, unless it is too large', async (t) => {
  const { site, stored } = await createUploadSite(t);
  const park = async () => {
    const refused = await site.handle(post('/lists', toFormData({ title: '', list: csv('old') })));
    return listOf(await bodyText(refused));
  };
  const replaced = post('/lists', toFormData({ title: '', list: [await park(), csv('new')] }));
  assert.match(await bodyText(await site.handle(replaced)), /things\.csv, 3 bytes/);
  assert.equal((await stored()).length, 1);
  const large = csv('x'.repeat(MAX_SIZE + 1));
  const tooLarge = post('/lists', toFormData({ title: 'One', list: [await park(), large] }));
  const refused = await bodyText(await site.handle(tooLarge));
  assert.match(refused, /List must be 100 kB or less/);
  assert.match(refused, /things\.csv, 3 bytes/);
  assert.equal((await stored()).length, 2);
});

test('a parked file is removed by its button, and that of a visitor after an hour', async (t) => {
  const { site, files, stored } = await createUploadSite(t);
  const refused = await site.handle(post('/lists', toFormData({ title: '', list: csv('old') })));
  const list = listOf(await bodyText(refused));
  const removed = await site.handle(
    post('/lists', toFormData({ title: 'Mine', list, _change: 'remove list' })),
  );
  assert.equal(removed.status, 200);
  const markup = await bodyText(removed);
  assert.doesNotMatch(markup, /things\.csv/);
  assert.match(markup, /value="Mine"/);
  assert.match(markup, /id="list"[^>]* autofocus/);
  assert.deepEqual(await stored(), []);
  await site.handle(post('/lists', toFormData({ title: '', list: csv('old') })));
  await files.removeExpired(new Date(Date.now() + 3_600_000 - 60_000));
  assert.equal((await stored()).length, 1);
  await files.removeExpired(new Date(Date.now() + 3_600_000 + 60_000));
  assert.deepEqual(await stored(), []);
});

test('a parked file counts in the digest like the file itself', async (t) => {
  const { site, ids } = await createUploadSite(t);
  const fresh = { _once: 'key', title: 'x', list: csv('one') };
  const refused = await site.handle(post('/lists', toFormData({ ...fresh, title: '' })));
  const parked = { ...fresh, list: listOf(await bodyText(refused)) };
  for (const fields of [parked, parked, fresh])
    assert.equal(
      (await site.handle(post('/once', toFormData(fields)))).headers['Location'],
      '/lists/1',
    );
  assert.equal(ids.length, 1);
  // Back, another title: another form, which keeps the same file.
  await site.handle(post('/once', toFormData({ ...parked, title: 'y' })));
  assert.equal(ids.length, 2);
});

test('a file that is too large is an error of its field, and the text comes back', async (t) => {
  const { site } = await createUploadSite(t);
  const list = csv('x'.repeat(MAX_SIZE + 1));
  const answer = await site.handle(post('/lists', toFormData({ list, title: 'After the file' })));
  assert.equal(answer.status, 400);
  const markup = await bodyText(answer);
  assert.match(
    markup,
    /List must be 100 kB or less\. Choose the file &#8220;things\.csv&#8221; again/,
  );
  assert.match(markup, /value="After the file"/);
});

test('an empty file is refused', async (t) => {
  const { site } = await createUploadSite(t);
  const answer = await site.handle(post('/lists', toFormData({ title: 'x', list: csv('') })));
  assert.match(await bodyText(answer), /List is empty/);
});

test('an optional file may be left out', async () => {
  const optional = defineForm({ list: fileField({ label: 'List', maxSize: 9 }) });
  const site = createSite(createMemoryStores(), { log: false }).post(
    '/',
    readForm(optional),
    ({ validation }) => text(JSON.stringify(validation.parsed)),
  );
  for (const fields of [{ list: csv('', '') }, { other: 'x' }]) {
    const answer = await site.handle(post('/', toFormData(fields)));
    assert.deepEqual(JSON.parse(await bodyText(answer)), { list: null });
  }
});

test('the fetch adapter passes files on', async (t) => {
  const { site } = await createUploadSite(t);
  const data = new FormData();
  data.append('title', 'Fetched');
  data.append('list', csv('a,b\n'.repeat(20_000)));
  const answer = await toFetchHandler(site)(
    new Request('http://localhost/lists', { method: 'POST', body: data }),
  );
  assert.match(await answer.text(), /"size":80000/);
});

test('a form of another type is refused with the remedy', async (t) => {
  const { site } = await createUploadSite(t);
  const json = { headers: { 'content-type': 'application/json' } };
  const answer = await site.handle(request('POST', '/lists', new Uint8Array(1), json));
  assert.equal(answer.status, 415);
  assert.match(await bodyText(answer), /sent as multipart\/form-data, with enctype/);
});

test('a page without files, of an earlier version, is still taken; a name without its file is not', async (t) => {
  const { site } = await createUploadSite(t);
  const taken = await site.handle(post('/lists', { title: 'One' }));
  assert.equal(taken.status, 400);
  assert.match(await bodyText(taken), /value="One"/);
  const refused = await site.handle(post('/lists', { title: 'One', list: 'list.csv' }));
  assert.equal(refused.status, 415);
});

test('another file, and a field or a file that only another version declares, make another form', async (t) => {
  const { site } = await createUploadSite(t);
  const fields = { title: 'One', list: csv('a,b'), _once: 'key' };
  const placeOf = async (added: Readonly<Record<string, string | File>>) =>
    (await site.handle(post('/once', toFormData({ ...fields, ...added })))).headers['Location'];
  const places = [];
  const others = [{ list: csv('c') }, { note: 'x' }, { photo: csv('x') }, { photo: csv('y') }];
  for (const added of [{}, ...others]) {
    places.push(await placeOf(added));
    assert.equal(await placeOf(added), places.at(-1));
  }
  assert.equal(new Set(places).size, 5);
  assert.equal(await placeOf({ note: '', photo: csv('', '') }), places[0]);
});
