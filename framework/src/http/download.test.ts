import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { request as createRequest } from '../testing/make-request.ts';
import { createTestFolder } from '../testing/test-folder.ts';
import { download } from './download.ts';
import type { Response } from './response.ts';

const CONTENT = '0123456789';

function ask(headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return { request: createRequest(method, '/report', null, { headers }) };
}

async function textOf({ body }: Response): Promise<string> {
  if (body === null || typeof body === 'string') return body ?? '';
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  return readText(body as AsyncIterable<Uint8Array>);
}

function createFile(t: TestContext, content: string): string {
  const path = `${createTestFolder(t)}/may 2026.pdf`;
  writeFileSync(path, content);
  utimesSync(path, 1_000_000, 1_000_000.5);
  return path;
}

/** A path and bytes behave alike. */
function createContents(t: TestContext) {
  return [{ path: createFile(t, CONTENT) }, Buffer.from(CONTENT)] as const;
}

test('a file is saved under its name, with a tag and the time of its change', async (t) => {
  const [file, bytes] = createContents(t);
  const { status, headers, ...answer } = await download(ask(), file);
  assert.equal(status, 200);
  assert.equal(await textOf({ status, headers, ...answer }), CONTENT);
  assert.match(String(headers['ETag']), /^"[a-z0-9]+-a"$/);
  assert.deepEqual(
    { ...headers, ETag: '' },
    {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': 'attachment; filename="may 2026.pdf"',
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'X-Content-Type-Options': 'nosniff',
      ETag: '',
      'Last-Modified': 'Mon, 12 Jan 1970 13:46:40 GMT',
      'Cache-Control': 'private, no-cache',
      'Accept-Ranges': 'bytes',
    },
  );
  const named = await download(ask(), bytes, { name: 'ü.csv', type: 'text/csv' });
  assert.equal(named.headers['Content-Type'], 'text/csv; charset=utf-8');
  assert.equal(
    named.headers['Content-Disposition'],
    `attachment; filename="_.csv"; filename*=UTF-8''%C3%BC.csv`,
  );
});

test('a name cannot end its parameter or its header', async () => {
  for (const name of ['a"; filename="b', 'a\r\nX: y', 'a\\"b', '%20', '\ud800']) {
    const { headers } = await download(ask(), Buffer.from('x'), { name });
    assert.match(
      String(headers['Content-Disposition']),
      /^attachment; filename="[^"\\\r\n]*"; filename\*=UTF-8''[A-Za-z0-9%_.!~-]+$/,
    );
  }
});

test('only what has no scripts that reach the site is shown in place', async () => {
  for (const [type, disposition, isSandboxed] of [
    ['image/png', 'inline', true],
    ['application/pdf', 'inline', false],
    ['image/svg+xml', 'attachment', true],
    ['text/html', 'attachment', true],
  ] as const) {
    const { headers } = await download(ask(), Buffer.from('x'), { type, inline: true });
    assert.equal(headers['Content-Disposition'], disposition, type);
    assert.equal(headers['Content-Security-Policy'] !== undefined, isSandboxed, type);
  }
});

test('a range is sent alone, and one that is not there is a 416', async (t) => {
  for (const content of createContents(t)) {
    for (const [range, body] of [
      ['bytes=0-0', '0'],
      ['bytes=3-', '3456789'],
      ['bytes=-2', '89'],
    ] as const) {
      const answer = await download(ask({ range }), content);
      assert.deepEqual([answer.status, await textOf(answer)], [206, body]);
    }
    const none = await download(ask({ range: 'bytes=10-' }), content);
    assert.deepEqual([none.status, none.headers['Content-Range']], [416, 'bytes */10']);
  }
});

test('a range of another version gets the whole file, and a client that has it a 304', async (t) => {
  for (const content of createContents(t)) {
    const whole = await download(ask(), content);
    const { headers } = whole;
    await textOf(whole);
    const etag = String(headers['ETag']);
    const status = async (sent: Readonly<Record<string, string>>) => {
      const answer = await download(ask(sent), content);
      await textOf(answer);
      return answer.status;
    };
    assert.equal(await status({ range: 'bytes=0-0', 'if-range': etag }), 206);
    assert.equal(await status({ range: 'bytes=0-0', 'if-range': '"other"' }), 200);
    assert.equal(await status({ 'if-none-match': etag }), 304);
    assert.equal(await status({ 'if-match': '"other"' }), 412);
  }
  const [file] = createContents(t);
  const since = { 'if-modified-since': 'Mon, 12 Jan 1970 13:46:40 GMT' };
  assert.equal((await download(ask(since), file)).status, 304);
});

test('a path without a file is a 404 whose reason is for the log alone', async (t) => {
  const folder = createTestFolder(t);
  const pipe = `${folder}/pipe`;
  execFileSync('mkfifo', [pipe]);
  for (const path of [`${folder}/no`, folder, pipe, `${createFile(t, '')}/x`]) {
    await assert.rejects(download(ask(), { path }), ({ status, message, reason }) => {
      assert.equal(status, 404);
      assert.equal(String(message).includes(folder), false);
      return String(reason).includes(JSON.stringify(path));
    });
  }
});

test('a file that is removed meanwhile is sent to its end, and one that shrinks ends the answer', async (t) => {
  const long = 'x'.repeat(200_000);
  const removed = createFile(t, long);
  const answer = await download(ask(), { path: removed });
  rmSync(removed);
  assert.equal((await textOf(answer)).length, long.length);
  const shrunk = createFile(t, long);
  const broken = await download(ask(), { path: shrunk });
  truncateSync(shrunk, 70_000);
  await assert.rejects(textOf(broken), /cannot be read/);
});

test('an empty file is sent', async (t) => {
  const answer = await download(ask(), { path: createFile(t, '') });
  assert.deepEqual([answer.status, await textOf(answer)], [200, '']);
});

const skip = !existsSync('/proc/self/fd');
test('a file is closed by a client that leaves, and by an answer without it', {
  skip,
}, async (t) => {
  const path = createFile(t, 'x'.repeat(200_000));
  const countOpen = () => readdirSync('/proc/self/fd').length;
  const before = countOpen();
  for (let count = 0; count < 20; count++) {
    const { body } = await download(ask(), { path });
    await (body as AsyncIterableIterator<Uint8Array>).return?.();
    await download(ask({ 'if-none-match': '*' }), { path });
    await download(ask({ range: 'bytes=999999-' }), { path });
  }
  assert.ok(countOpen() < before + 20);
});

test('an answer whose file nobody reads does not end the process', async (t) => {
  const path = createFile(t, 'x'.repeat(200_000));
  for (let count = 0; count < 5; count++)
    assert.equal((await download(ask(), { path })).headers['Content-Length'], '200000');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  for (let count = 0; count < 3; count++) {
    await setImmediate();
    collect();
  }
  await setImmediate();
});

test('a stream is sent as it comes, and closed by a client that leaves', async () => {
  const answer = await download(ask({ range: 'bytes=0-0' }), Readable.from([Buffer.from('ab')]));
  assert.deepEqual([answer.status, await textOf(answer)], [200, 'ab']);
  assert.equal(answer.headers['ETag'], undefined);
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.from('x');
    })(),
  );
  const { body } = await download(ask(), endless);
  await (body as AsyncIterableIterator<Uint8Array>).return?.();
  assert.equal(endless.destroyed, true);
});

test('text is refused, because it could be a path', async () => {
  for (const content of ['/etc/passwd', null, 7])
    await assert.rejects(download(ask(), content as never), /pass \{ path: '…' \}/);
});
