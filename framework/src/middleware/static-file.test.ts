import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import test from 'node:test';
import zlib, { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Passed } from '../chain/context.ts';
import type { RequestHeaders } from '../http/request.ts';
import { notFound, type Response } from '../http/response.ts';
import { request } from '../testing/make-request.ts';
import { serveFiles } from './serve-files.ts';
import { createStaticFile } from './static-file.ts';

const STYLES = Buffer.from('body { color: black }\n'.repeat(200));
const MODIFIED = Date.parse('Fri, 20 Nov 2020 18:02:11 GMT');

const create = (body = STYLES, type = 'text/css; charset=utf-8') =>
  createStaticFile(body, type, MODIFIED);

function site(file = create()) {
  const serve = serveFiles(new Map([['/styles.css', file]]));
  return async (headers: RequestHeaders = {}, method = 'GET'): Promise<Response> => {
    const context = { request: request(method, '/styles.css', null, { headers }), route: null };
    return await serve(context, () => notFound() as Response as Passed);
  };
}

const DECODERS = {
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  gzip: gunzipSync,
  identity: (body: Uint8Array) => body,
} as const;
const CODINGS = Object.keys(DECODERS) as (keyof typeof DECODERS)[];
const taking = (coding: string): RequestHeaders => ({ 'accept-encoding': coding });

test('text is sent in the requested coding, and decodes to the same text', async () => {
  const ask = site();
  for (const coding of CODINGS) {
    const { status, headers, body } = await ask(taking(coding));
    assert.equal(status, 200);
    assert.equal(headers['Content-Encoding'], coding === 'identity' ? undefined : coding);
    assert.equal(headers['Vary'], 'Accept-Encoding');
    assert.equal(headers['Content-Type'], 'text/css; charset=utf-8');
    const bytes = body as Uint8Array;
    assert.deepEqual(Buffer.from(DECODERS[coding](bytes)), STYLES, coding);
    if (coding !== 'identity') assert.ok(bytes.length < STYLES.length / 10, coding);
  }
});

test('each coding has its own tag, and a 304 has no more headers than its 200', async () => {
  const ask = site();
  const tags = new Set<unknown>();
  for (const coding of CODINGS) {
    const found = await ask(taking(coding));
    tags.add(found.headers['ETag']);
    const fresh = { ...taking(coding), 'if-none-match': String(found.headers['ETag']) };
    const { status, headers, body } = await ask(fresh);
    assert.equal(status, 304);
    assert.equal(body, null);
    const { 'Content-Type': _, 'Content-Encoding': __, ...rest } = found.headers;
    assert.deepEqual(headers, rest);
  }
  assert.equal(tags.size, CODINGS.length);
});

test('the tag of one coding never gets a 304 for another one', async () => {
  const ask = site();
  const tagOf = async (coding: string) => String((await ask(taking(coding))).headers['ETag']);
  for (const held of CODINGS) {
    for (const wanted of CODINGS) {
      const answer = await ask({ ...taking(wanted), 'if-none-match': await tagOf(held) });
      assert.equal(answer.status, held === wanted ? 304 : 200, `${held}, ${wanted}`);
    }
  }
});

test('HEAD is answered as GET is, in every coding', async () => {
  const ask = site();
  for (const coding of CODINGS) {
    assert.deepEqual(await ask(taking(coding), 'HEAD'), await ask(taking(coding)));
  }
});

test('a file is compressed once, at the first request', async (t) => {
  const compress = t.mock.method(zlib, 'brotliCompress');
  syncBuiltinESMExports();
  t.after(() => {
    compress.mock.restore();
    syncBuiltinESMExports();
  });
  const ask = site();
  await ask();
  assert.equal(compress.mock.callCount(), 0);
  const answers = await Promise.all([ask(taking('br')), ask(taking('br')), ask(taking('br'))]);
  assert.equal(new Set(answers).size, 1);
  assert.equal(await ask(taking('br')), answers[0]);
  assert.equal(compress.mock.callCount(), 1);
});

test('a failed compression is tried again at the next request', async (t) => {
  const compress = t.mock.method(zlib, 'brotliCompress', (...args: readonly unknown[]) =>
    (args.at(-1) as (error: Error) => void)(new Error('no memory')),
  );
  syncBuiltinESMExports();
  const ask = site();
  await assert.rejects(ask(taking('br')), /no memory/);
  compress.mock.restore();
  syncBuiltinESMExports();
  assert.equal((await ask(taking('br'))).status, 200);
});

test('a small or already compressed file is sent in one coding only', async () => {
  const files = [create(Buffer.from('body {}')), create(STYLES, 'image/png')];
  for (const file of files) {
    const { headers } = await site(file)(taking('br'));
    assert.equal(headers['Content-Encoding'], undefined);
    assert.equal(headers['Vary'], undefined);
  }
  assert.equal(
    (await site(create(STYLES, 'image/svg+xml'))(taking('br'))).headers['Content-Encoding'],
    'br',
  );
});
