import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import test from 'node:test';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { request as createRequest } from '../testing/make-request.ts';
import { type SendOptions, sendFile } from './send-file.ts';

const CONTENT = '0123456789';
const ETAG = `"${hash('sha256', CONTENT)}"`;

/** A site with one kept file. */
async function createFileSite(
  { name = 'numbers.txt', type = 'text/plain' } = {},
  options: SendOptions = {},
) {
  const stores = createMemoryStores();
  const received = await stores.files.add({ name, type }, chunks());
  const id = await received.keep(null);
  const site = createSite(stores, { log: false }).get('/files/:id', (context) =>
    sendFile(context, context.params.id, options),
  );
  return async (headers: Readonly<Record<string, string>> = {}, method = 'GET', path = id) => {
    const answer = await site.handle(createRequest(method, `/files/${path}`, null, { headers }));
    let body = '';
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array> | string)
      body += chunk;
    return { status: answer.status, headers: answer.headers, body };
  };
}

async function* chunks() {
  yield Buffer.from(CONTENT);
}

test('a file is saved under its name, and never taken for a page', async () => {
  const get = await createFileSite({ name: 'Größe "1" (neu).html', type: 'text/html; charset=x' });
  const { status, headers, body } = await get();
  assert.equal(status, 200);
  assert.equal(body, CONTENT);
  assert.equal(headers['Content-Type'], 'text/html; charset=utf-8');
  assert.equal(
    headers['Content-Disposition'],
    `attachment; filename="Gr__e _1_ (neu).html"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22%20%28neu%29.html`,
  );
  assert.equal(headers['X-Content-Type-Options'], 'nosniff');
  assert.equal(headers['Content-Security-Policy'], "sandbox; default-src 'none'");
  assert.equal(headers['Cache-Control'], 'private, no-cache');
  assert.equal(headers['Content-Length'], '10');
  assert.equal(headers['ETag'], ETAG);
});

test('only types without scripts are shown in place', async () => {
  for (const [type, disposition] of [
    ['image/png', 'inline'],
    ['text/plain', 'inline'],
    ['image/svg+xml', 'attachment'],
    ['text/html', 'attachment'],
    ['application/pdf', 'attachment'],
    ['image/png\r\nX: y', 'inline'],
    ['nonsense', 'attachment'],
  ] as const) {
    const { headers } = await (await createFileSite({ type }, { inline: true }))();
    assert.match(`${headers['Content-Disposition']}`, new RegExp(`^${disposition};`), type);
    assert.match(`${headers['Content-Type']}`, /^[a-z]+\/[a-z+-]+(; charset=utf-8)?$/, type);
  }
});

test('a range is sent alone', async () => {
  const get = await createFileSite();
  for (const [range, body, contentRange] of [
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=3-', '3456789', 'bytes 3-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=-99', CONTENT, 'bytes 0-9/10'],
    ['bytes=4-99', '456789', 'bytes 4-9/10'],
  ] as const) {
    const answer = await get({ range });
    assert.equal(answer.status, 206, range);
    assert.equal(answer.body, body, range);
    assert.equal(answer.headers['Content-Range'], contentRange);
    assert.equal(answer.headers['Content-Length'], String(body.length));
  }
});

test('a range that is not in the file is a 416, and one that is not understood is ignored', async () => {
  const get = await createFileSite();
  for (const range of ['bytes=10-', 'bytes=10-20', 'bytes=-0']) {
    const { status, headers } = await get({ range });
    assert.equal(status, 416, range);
    assert.equal(headers['Content-Range'], 'bytes */10');
  }
  for (const range of ['bytes=0-1,3-4', 'lines=0-1', 'bytes=-', 'bytes=5-2', 'bytes= 0-1'])
    assert.equal((await get({ range })).body, CONTENT, range);
});

test('a range of another version gets the whole file', async () => {
  const get = await createFileSite();
  assert.equal((await get({ range: 'bytes=0-0', 'if-range': ETAG })).status, 206);
  for (const version of ['"other"', `W/${ETAG}`, 'Sun, 06 Nov 1994 08:49:37 GMT'])
    assert.equal((await get({ range: 'bytes=0-0', 'if-range': version })).status, 200, version);
});

test('a browser that has the file gets a 304, and a failed condition a 412', async () => {
  const get = await createFileSite();
  const { status, body, headers } = await get({ 'if-none-match': `"x", W/${ETAG}` });
  assert.deepEqual([status, body, headers['ETag']], [304, '', ETAG]);
  assert.deepEqual(
    Object.keys(headers).filter((name) => name.startsWith('Content-')),
    ['Content-Security-Policy'],
  );
  assert.equal((await get({ 'if-none-match': '"x"' })).status, 200);
  assert.equal((await get({ 'if-match': '"x"' })).status, 412);
  assert.equal((await get({ 'if-match': ETAG })).status, 200);
});

test('HEAD has the headers of GET, and an unknown id is a 404', async () => {
  const get = await createFileSite();
  const { status, headers } = await get({ range: 'bytes=0-0' }, 'HEAD');
  assert.deepEqual([status, headers['Content-Length']], [200, '10']);
  for (const id of ['x', 'a'.repeat(64)]) assert.equal((await get({}, 'GET', id)).status, 404);
});

test('under an address with its hash, a file is stored by the browser', async () => {
  const digits = hash('sha256', CONTENT);
  for (const [sha256, status] of [
    [digits, 200],
    [digits.slice(0, 16), 200],
    [digits.slice(0, 15), 404],
    ['', 404],
    ['f'.repeat(64), 404],
    [`${digits}0`, 404],
  ] as const) {
    const get = await createFileSite({ type: 'image/png' }, { inline: true, sha256 });
    const answer = await get();
    assert.equal(answer.status, status, sha256);
    if (status === 404) continue;
    assert.equal(answer.headers['Cache-Control'], 'private, max-age=31536000, immutable');
    assert.equal(answer.headers['Content-Security-Policy'], "sandbox; default-src 'none'");
    const again = await get({ 'if-none-match': ETAG });
    assert.equal(again.status, 304);
    assert.equal(again.headers['Cache-Control'], 'private, max-age=31536000, immutable');
  }
});

test('a file that the site has made is read by its id', async () => {
  const { files } = createMemoryStores();
  const added = await files.add({ name: 'preview.webp', type: 'image/webp' }, chunks());
  assert.equal(`${await Array.fromAsync(added.chunks())}`, CONTENT);
  assert.equal(`${await Array.fromAsync(added.chunks({ first: 8, last: 9 }))}`, '89');
  const id = await added.keep(null);
  assert.equal(`${await Array.fromAsync(files.read(id))}`, CONTENT);
  assert.equal(`${await Array.fromAsync(files.read(id, { first: 2, last: 4 }))}`, '234');
  await assert.rejects(Array.fromAsync(files.read('none')), /none with this id is kept/);
});
