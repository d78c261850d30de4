import assert from 'node:assert/strict';
import test from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { html } from '../http/html.ts';
import { page, type Response, text } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { loadSession } from '../session/load-session.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import { get, request } from '../testing/make-request.ts';
import { answerNotModified } from './answer-not-modified.ts';
import { compressPages } from './compress-pages.ts';

const LONG = html`<p>${'Seeother '.repeat(200)}</p>`;

const router = createRouter()
  .use(compressPages())
  .use(loadSession({ store: createMemorySessionStore() }))
  .get(
    '/items',
    answerNotModified(() => '1'),
    () => page(LONG),
  )
  .get('/small', () => page(html`<p>small</p>`))
  .get('/text', () => text('x'.repeat(2_000)));

const ask = (target: string, coding?: string, headers: Record<string, string> = {}) =>
  router.handle(
    get(target, {
      headers: { ...headers, ...(coding === undefined ? {} : { 'accept-encoding': coding }) },
    }),
  );

const bytesOf = ({ body }: Response) => {
  assert.ok(body instanceof Uint8Array);
  return body;
};

test('a page is compressed as the client takes it, and says so', async () => {
  for (let count = 0; count < 2; count++) {
    const zipped = await ask('/items', 'gzip');
    assert.equal(zipped.headers['Content-Encoding'], 'gzip');
    assert.equal(gunzipSync(bytesOf(zipped)).toString(), LONG.markup);
    const coded = await ask('/items', 'gzip, deflate, br, zstd');
    assert.equal(coded.headers['Content-Encoding'], 'br');
    assert.equal(brotliDecompressSync(bytesOf(coded)).toString(), LONG.markup);
  }
  for (const coding of [undefined, 'identity', 'deflate', 'gzip;q=0', 'zstd']) {
    const plain = await ask('/items', coding);
    assert.equal(plain.body, LONG.markup);
    assert.equal(plain.headers['Content-Encoding'], undefined);
  }
});

test('every coding of a page has the same tag and the same Vary, and so has its 304', async () => {
  const answers = [await ask('/items'), await ask('/items', 'gzip'), await ask('/items', 'br')];
  const tag = String(answers[0]?.headers['ETag']);
  answers.push(await ask('/items', 'gzip', { 'if-none-match': tag }));
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers['ETag'], headers['Vary']]),
    [200, 200, 200, 304].map((status) => [status, tag, 'Cookie, Accept-Encoding']),
  );
  assert.equal(answers[3]?.headers['Content-Encoding'], undefined);
  assert.equal(answers[3]?.body, null);
});

test('HEAD has the headers of GET', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  const head = await router.handle(request('HEAD', '/items', null, { headers }));
  assert.deepEqual(head.headers, (await ask('/items', 'gzip')).headers);
});

test('an address with a query is not compressed: its text may be on the page', async () => {
  for (const target of ['/items?q=guess', '/items?']) {
    const { headers, body } = await ask(target, 'gzip');
    assert.equal(headers['Content-Encoding'], undefined);
    assert.equal(body, LONG.markup);
  }
});

test('small pages and other answers are not compressed', async () => {
  for (const target of ['/small', '/text', '/nothing'])
    assert.equal((await ask(target, 'gzip')).headers['Content-Encoding'], undefined, target);
});
