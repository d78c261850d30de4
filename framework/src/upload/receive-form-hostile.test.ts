import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { textField } from '../field/fields.ts';
import { defineForm, errorsOf } from '../form/define-form.ts';
import { readForm } from '../form/read-form.ts';
import { createRequest, type RequestHeaders } from '../http/request.ts';
import { text } from '../http/response.ts';
import type { Failure } from '../middleware/failure.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { storedKeys } from '../testing/stored-keys.ts';
import { createTestFolder } from '../testing/test-folder.ts';
import { bodyText } from '../testing/visitor.ts';
import { createFolder } from './create-folder.ts';
import { fileField } from './file-field.ts';
import { Files } from './files.ts';
import { createMemoryFileRecords } from './memory-file-records.ts';

const form = defineForm({
  title: textField({ label: 'Title', maxLength: 100 }),
  list: fileField({ label: 'List', required: 'Choose a file', maxSize: 10_000 }),
});

const TYPE = 'multipart/form-data; boundary=limit';
const END = '--limit--\r\n';

const part = (disposition: string, content: string) =>
  `--limit\r\nContent-Disposition: form-data${disposition}\r\n\r\n${content}\r\n`;
const file = (content: string, fileName = 'a.csv') =>
  part(`; name="list"; filename="${fileName}"`, content);

interface Sent {
  readonly status: number;
  /** Of the answer: the values, or the errors. */
  readonly body: string;
}

const OPTIONS = {
  log: false,
  crossOrigin: false,
  errors: { page: ({ status, message }: Failure) => text(`${message}`, status), report: () => {} },
} as const;

/** `size` is that of the chunks in which the body arrives. */
async function createSender(t: TestContext) {
  const directory = createTestFolder(t);
  const files = new Files(createFolder(directory), createMemoryFileRecords());
  const site = createSite({ ...createMemoryStores(), files }, OPTIONS).post(
    '/',
    readForm(form, { limit: 5_000 }),
    async ({ validation, status }) => {
      if (!validation.valid) return text(JSON.stringify(errorsOf(validation)), status);
      const { title, list } = validation.values;
      let content = '';
      for await (const chunk of list.chunks()) content += Buffer.from(chunk).toString('latin1');
      return text(JSON.stringify({ title, name: list.name, content }), status);
    },
  );
  return async (
    body: string | AsyncIterable<Uint8Array>,
    headers: RequestHeaders = {},
    size = 65_536,
  ): Promise<Sent> => {
    const answer = await site.handle(
      createRequest({
        method: 'POST',
        target: '/',
        headers: { host: 'localhost', 'content-type': TYPE, ...headers },
        body: typeof body === 'string' ? inChunks(body, size) : body,
      }),
    );
    const read = await bodyText(answer);
    // That of a refused form is parked for a day.
    if (read.startsWith('[')) await files.removeExpired(new Date(8.64e15));
    assert.deepEqual(await storedKeys(directory), [], 'a file is left');
    return { status: answer.status, body: read };
  };
}

async function* inChunks(content: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test('a body without a boundary is refused', async (t) => {
  const send = await createSender(t);
  for (const type of ['multipart/form-data; x=y', 'multipart/form-data']) {
    const { status, body } = await send(file('a') + END, { 'content-type': type });
    assert.equal(status, 400, type);
    assert.match(String(body), /names no boundary/);
  }
});

test('a body with another boundary is refused', async (t) => {
  const send = await createSender(t);
  const type = 'multipart/form-data; boundary=other';
  assert.equal((await send(file('a') + END, { 'content-type': type })).status, 400);
});

test('a boundary within the data does not end the file', async (t) => {
  const send = await createSender(t);
  for (const content of [
    'a--limit--b',
    '\r\n-limit\r\n',
    'a\r\n --limit',
    '\r\n--limi\r\n--limi',
    '\r\n\r\n--',
  ]) {
    for (const size of [1, 3, 65_536]) {
      const { status, body } = await send(file(content) + END, {}, size);
      assert.equal(status, 200, body);
      assert.equal(JSON.parse(body).content, content);
    }
  }
});

test('a part with a name of more than 1,000 characters is refused', async (t) => {
  const send = await createSender(t);
  const named = (name: string) => part(`; name="${name}"`, 'T') + file('a') + END;
  assert.equal((await send(named('x'.repeat(1_000)))).status, 200);
  for (const length of [1_001, 4_000, 8_000, 20_000]) {
    for (const size of [7, 65_536]) {
      const { status, body } = await send(named('x'.repeat(length)), {}, size);
      assert.equal(status, 400, `${length}`);
      assert.match(body, /^The form cannot be read: the name of a field has more than 1,000/);
    }
  }
});

test('a part with headers of 100 KB is left out', async (t) => {
  const send = await createSender(t);
  const long = `--limit\r\nX-Long: ${'x'.repeat(100_000)}\r\nContent-Disposition: form-data; name="title"\r\n\r\nT\r\n`;
  const { status, body } = await send(long + file('a') + END);
  assert.equal(status, 200);
  assert.equal(JSON.parse(body).title, '');
});

test('10,000 parts are refused', async (t) => {
  const send = await createSender(t);
  const { status, body } = await send(part('; name="x"', '').repeat(10_000) + file('a') + END);
  assert.deepEqual([status, body], [400, 'The form has more than 200 fields.']);
});

test('the name of a file has no folder and no control character', async (t) => {
  const send = await createSender(t);
  const names = [
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\list.csv', 'list.csv'],
    ['a\0b.csv', 'ab.csv'],
    ['5%22 pipe.pdf', '5" pipe.pdf'],
    ['a%0D%0ab.csv', 'a b.csv'],
    ['a\u2028 b\x1b.csv', 'a b.csv'],
    ['gro\u0308sse.csv', 'grösse.csv'],
    ['100%25 %41 %2522.csv', '100%25 %41 %2522.csv'],
    ['größe – 価格.csv', 'größe – 価格.csv'],
    ['..', ''],
    [`${'x'.repeat(1_000)}.csv`, 'x'.repeat(255)],
    ['a\u{202e}vsc.exe', 'avsc.exe'],
  ];
  for (const [sent, name] of names) {
    const { status, body } = await send(file('a', sent) + END);
    assert.equal(status, 200, body);
    assert.equal(JSON.parse(body).name, name);
  }
  const quoted = await send(part('; name="list"; filename="a\\"b.csv"', 'a') + END);
  assert.equal(JSON.parse(quoted.body).name, 'a"b.csv');
  const extended = await send(
    part(`; name="list"; filename*=UTF-8''gr%C3%B6%C3%9Fe.csv`, 'a') + END,
  );
  assert.equal(JSON.parse(extended.body).name, 'größe.csv');
});

test('a line end in a name makes no second header', async (t) => {
  const send = await createSender(t);
  const { status } = await send(file('a', 'a\r\nContent-Type: text/html\r\n\r\nb') + END);
  assert.ok(status === 200 || status === 400, `${status}`);
});

test('parts without a name and without a header are left out', async (t) => {
  const send = await createSender(t);
  for (const nameless of [part('', 'x'), part('; filename="a"', 'x'), '--limit\r\n\r\nx\r\n']) {
    const { status, body } = await send(nameless + file('a') + END);
    assert.equal(status, 200, body);
    assert.equal(JSON.parse(body).content, 'a');
  }
});

test('a field or a file that is sent twice is an error of its field', async (t) => {
  const send = await createSender(t);
  const twice = part('; name="title"', 'T').repeat(2) + file('a') + file('b') + END;
  const { status, body } = await send(twice);
  assert.equal(status, 400);
  assert.deepEqual(JSON.parse(body), [
    { field: 'title', message: 'Title was sent twice; send it once' },
    { field: 'list', message: 'List was sent twice; send it once' },
  ]);
});

test('text in the place of a file is no file, and a file in the place of text is text', async (t) => {
  const send = await createSender(t);
  const { body } = await send(part('; name="list"', 'a,b') + END);
  assert.deepEqual(JSON.parse(body), [{ field: 'list', message: 'Choose the file “a,b” again' }]);
  const other = await send(part('; name="title"; filename="t.txt"', 'T') + file('a') + END);
  assert.equal(JSON.parse(other.body).title, 'T');
});

test('text that is not UTF-8 or has a NUL is an error of its field', async (t) => {
  const send = await createSender(t);
  const { body } = await send(part('; name="title"', 'a\0b') + file('a') + END);
  assert.match(body, /Title must not contain a NUL character/);
});

test('names of the prototype are names of fields that nobody declared', async (t) => {
  const send = await createSender(t);
  const names = ['__proto__', 'constructor', 'toString'];
  const parts = names.map((name) => part(`; name="${name}"; filename="x"`, 'x')).join('');
  assert.equal((await send(parts + file('a') + END)).status, 200);
});

test('a body that ends in the middle is refused, wherever', async (t) => {
  const send = await createSender(t);
  const whole = part('; name="title"', 'T') + file('content') + END;
  for (let length = 1; length < whole.length - 4; length++) {
    const { status } = await send(whole.slice(0, length));
    assert.equal(status, 400, `after ${length} bytes`);
  }
});

test('a connection that breaks in the middle leaves nothing', async (t) => {
  const send = await createSender(t);
  async function* broken() {
    yield Buffer.from(file('x'.repeat(5_000)).slice(0, 4_000));
    throw new Error('broken');
  }
  assert.equal((await send(broken())).status, 500);
});

test('a file arrives byte by byte', async (t) => {
  const send = await createSender(t);
  const { status, body } = await send(file('x'.repeat(2_000)) + END, {}, 1);
  assert.equal(status, 200);
  assert.equal(JSON.parse(body).content.length, 2_000);
});

test('a content coding is refused', async (t) => {
  const send = await createSender(t);
  assert.equal((await send(file('a') + END, { 'content-encoding': 'gzip' })).status, 415);
});

test('too much text is refused with 413', async (t) => {
  const send = await createSender(t);
  assert.equal((await send(part('; name="title"', 'x'.repeat(6_000)) + END)).status, 413);
  const halves =
    part('; name="title"', 'x'.repeat(3_000)) + part('; name="_once"', 'x'.repeat(3_000));
  assert.equal((await send(halves + file('a') + END)).status, 413);
});

test('2 GB are refused before they are read', async (t) => {
  const send = await createSender(t);
  async function* unread() {
    yield Buffer.alloc(0);
    assert.fail('the body was read');
  }
  assert.equal((await send(unread(), { 'content-length': '2147483648' })).status, 413);
});

test('an endless file is refused with 413', async (t) => {
  const send = await createSender(t);
  async function* endless() {
    yield Buffer.from(file('').slice(0, -2));
    const chunk = Buffer.alloc(1_048_576, 'x');
    for (;;) yield chunk;
  }
  assert.equal((await send(endless())).status, 413);
});
