import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { defineForm, errorsOf } from '../form/define-form.ts';
import { textField } from '../form/fields.ts';
import { formField } from '../form/form-markup.ts';
import { createMemoryReceiptStore } from '../form/memory-receipt-store.ts';
import { onlyOnce } from '../form/only-once.ts';
import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { text } from '../http/response.ts';
import { catchErrors } from '../middleware/catch-errors.ts';
import { createRouter } from '../router/router.ts';
import { toFetchHandler } from '../server/fetch-handler.ts';
import { loadSession } from '../session/load-session.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import { request } from '../testing/make-request.ts';
import { bodyText } from '../testing/visitor.ts';
import { fileField } from './file-field.ts';
import { readUpload } from './read-upload.ts';
import type { UploadedFile } from './uploaded-file.ts';

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
async function createSite(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'seeother-test-'));
  t.after(() => rm(directory, { recursive: true }));
  const kept: UploadedFile[] = [];
  const receipts = createMemoryReceiptStore();
  let count = 0;
  const site = createRouter()
    .use(
      catchErrors({ page: ({ status, message }) => text(`${message}`, status), report: () => {} }),
    )
    .use(loadSession({ store: createMemorySessionStore() }))
    .post('/lists', readUpload(form, { directory }), async ({ form, validation, status }) => {
      const errors = errorsOf(validation);
      if (!validation.valid) {
        const fields = form.definition.names.map((name) => formField(form, name, errors).markup);
        return text(fields.join('\n'), status);
      }
      const { title, list } = validation.values;
      kept.push(list);
      await list.saveTo(join(directory, `saved ${kept.length}`));
      const { name, type, size, sha256 } = list;
      return text(JSON.stringify({ title, name, type, size, sha256 }));
    })
    .post('/once', readUpload(form, { directory }), onlyOnce(receipts), ({ once }) =>
      once(async () => localPath(`/lists/${++count}`)),
    );
  return { site, directory, kept };
}

/** The form as a browser sends it. */
async function send(path: string, fields: Readonly<Record<string, string | File>>) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  const encoded = new Response(data);
  const body = new Uint8Array(await encoded.arrayBuffer());
  return request('POST', path, body, {
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  });
}

const csv = (content: string, name = 'things.csv') =>
  new File([content], name, { type: 'text/csv' });

test('the action gets the file and the text, with their types', async (t) => {
  const { site, directory } = await createSite(t);
  const content = 'x'.repeat(MAX_SIZE);
  const answer = await site.handle(await send('/lists', { title: 'Größe', list: csv(content) }));
  assert.equal(answer.status, 200, await bodyText(answer));
  assert.deepEqual(JSON.parse(await bodyText(answer)), {
    title: 'Größe',
    name: 'things.csv',
    type: 'text/csv',
    size: MAX_SIZE,
    sha256: createHash('sha256').update(content).digest('hex'),
  });
  assert.equal(await readFile(join(directory, 'saved 1'), 'utf8'), content);
});

test('a file has no name on disk, and is closed after the answer', async (t) => {
  const { site, directory, kept } = await createSite(t);
  await site.handle(await send('/lists', { title: 'One', list: csv('a,b') }));
  assert.deepEqual(await readdir(directory), ['saved 1']);
  await assert.rejects(async () => {
    for await (const _ of kept[0]?.chunks() ?? []);
  }, /file closed/);
});

test('a form without a file is refused at the field, and the text comes back', async (t) => {
  const { site } = await createSite(t);
  const answer = await site.handle(await send('/lists', { title: 'Mine', list: csv('', '') }));
  assert.equal(answer.status, 400);
  const markup = await bodyText(answer);
  assert.match(markup, /value="Mine"/);
  assert.match(markup, /<span class="visually-hidden">Error:<\/span> Choose a file<\/p>/);
  assert.match(markup, /<input type="file" id="list" name="list" accept="\.csv" aria-describedby/);
});

test('a refused form says to choose the file again', async (t) => {
  const { site } = await createSite(t);
  const answer = await site.handle(
    await send('/lists', { title: '', list: csv('a', 'a "b".csv') }),
  );
  assert.equal(answer.status, 400);
  assert.match(
    await bodyText(answer),
    /Choose the file “a (&quot;|&#34;|%22)b(&quot;|&#34;|%22)\.csv” again/,
  );
});

test('a file that is too large is an error of its field, and the text comes back', async (t) => {
  const { site } = await createSite(t);
  const list = csv('x'.repeat(MAX_SIZE + 1));
  const answer = await site.handle(await send('/lists', { list, title: 'After the file' }));
  assert.equal(answer.status, 400);
  const markup = await bodyText(answer);
  assert.match(markup, /List must be 100 kB or less\. Choose the file “things\.csv” again/);
  assert.match(markup, /value="After the file"/);
});

test('an empty file is refused', async (t) => {
  const { site } = await createSite(t);
  const answer = await site.handle(await send('/lists', { title: 'x', list: csv('') }));
  assert.match(await bodyText(answer), /List is empty/);
});

test('an optional file may be left out', async () => {
  const optional = defineForm({ list: fileField({ label: 'List', maxSize: 9 }) });
  const site = createRouter().post('/', readUpload(optional), ({ validation }) =>
    text(JSON.stringify(validation)),
  );
  for (const fields of [{ list: csv('', '') }, { other: 'x' }]) {
    const answer = await site.handle(await send('/', fields));
    assert.deepEqual(JSON.parse(await bodyText(answer)), { valid: true, values: { list: null } });
  }
});

test('the same key with another file is another form', async (t) => {
  const { site } = await createSite(t);
  const sent = async (content: string, _once = 'key') => {
    const answer = await site.handle(
      await send('/once', { _once, title: 'x', list: csv(content) }),
    );
    return answer.headers['Location'];
  };
  assert.equal(await sent('one'), '/lists/1');
  assert.equal(await sent('one'), '/lists/1');
  assert.equal(await sent('two'), '/lists/2');
  assert.equal(await sent('one', 'other'), '/lists/3');
});

test('the fetch adapter passes files on', async (t) => {
  const { site } = await createSite(t);
  const data = new FormData();
  data.append('title', 'Fetched');
  data.append('list', csv('a,b\n'.repeat(20_000)));
  const answer = await toFetchHandler(site)(
    new Request('http://localhost/lists', { method: 'POST', body: data }),
  );
  assert.match(await answer.text(), /"size":80000/);
});

test('readForm refuses a form with a file when it is registered', () => {
  assert.throws(() => readForm(form), /Cannot read the file of a form.*readUpload/);
});

test('a file field needs a size', () => {
  assert.throws(
    () => fileField({ label: 'List', maxSize: Number.NaN }),
    /Cannot pass NaN to fileField as maxSize: pass a whole number of bytes/,
  );
});

test('a form of another type is refused with the remedy', async (t) => {
  const { site } = await createSite(t);
  const answer = await site.handle(request('POST', '/lists', new Uint8Array(1)));
  assert.equal(answer.status, 415);
  assert.match(await bodyText(answer), /enctype="multipart\/form-data" on its <form>/);
});

test('a field or a file that only another version declares makes another form', async (t) => {
  const { site } = await createSite(t);
  const fields = { title: 'One', list: csv('a,b'), _once: 'key' };
  const placeOf = async (added: Readonly<Record<string, string | File>>) =>
    (await site.handle(await send('/once', { ...fields, ...added }))).headers['Location'];
  const places = [];
  for (const added of [{}, { note: 'x' }, { photo: csv('x') }, { photo: csv('y') }]) {
    places.push(await placeOf(added));
    assert.equal(await placeOf(added), places.at(-1));
  }
  assert.equal(new Set(places).size, 4);
  assert.equal(await placeOf({ note: '', photo: csv('', '') }), places[0]);
});
