import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import type { Passed } from '../chain/context.ts';
import type { RequestHeaders } from '../http/request.ts';
import { type Response, text } from '../http/response.ts';
import { get, post, request } from '../testing/make-request.ts';
import { loadFiles, serveFiles } from './serve-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'serve-files-'));
after(() => rmSync(folder, { recursive: true }));

const STYLES = 'body { color: black }';
const MODIFIED = 'Fri, 20 Nov 2020 18:02:11 GMT';
const publicFolder = join(folder, 'public');
mkdirSync(join(publicFolder, 'icons'), { recursive: true });
writeFileSync(join(folder, 'secret.txt'), 'the secret');
writeFileSync(join(publicFolder, 'styles.css'), STYLES);
writeFileSync(join(publicFolder, 'icons', 'lamp.SVG'), '<svg/>');
for (const name of ['app.js', 'module.mjs']) writeFileSync(join(publicFolder, name), 'go();');
utimesSync(join(publicFolder, 'styles.css'), 0, Date.parse(MODIFIED) / 1000 + 0.7);

const serve = serveFiles(loadFiles(publicFolder));
const PASSED_ON = text('the next of the chain', 404) as Response as Passed;

async function answerTo(target: string, headers: RequestHeaders = {}, method = 'GET') {
  const context = { request: request(method, target, null, { headers }), route: null };
  return await serve(context, () => PASSED_ON);
}

async function etag(): Promise<string> {
  return String((await answerTo('/styles.css')).headers['ETag']);
}

test('a file is served with its media type, entity tag and date', async () => {
  // A range is ignored.
  const answer = await answerTo('/styles.css', { range: 'bytes=0-1' });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, Buffer.from(STYLES));
  const { ETag, ...headers } = answer.headers;
  assert.match(String(ETag), /^"[A-Za-z0-9_-]{22}"$/);
  assert.deepEqual(headers, {
    'Cache-Control': 'no-cache',
    'Content-Type': 'text/css; charset=utf-8',
    'Last-Modified': MODIFIED,
  });
});

test('a file in a subfolder is served under its path, whatever the case of its extension', async () => {
  const answer = await answerTo('/icons/lamp.SVG');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['Content-Type'], 'image/svg+xml');
});

test('a script has the type without which a browser does not run it', async () => {
  for (const path of ['/app.js', '/module.mjs'])
    assert.equal((await answerTo(path)).headers['Content-Type'], 'text/javascript; charset=utf-8');
});

test('the query is ignored when finding a file', async () => {
  assert.equal((await answerTo('/styles.css?version=2')).status, 200);
});

test('a copy with the same tag is answered with 304, the tag and no body', async () => {
  const tag = await etag();
  const fitting = [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag} , "more"`, '*', ' * '];
  for (const value of fitting) {
    const answer = await answerTo('/styles.css', { 'if-none-match': value });
    assert.equal(answer.status, 304, value);
    assert.equal(answer.body, null);
    assert.deepEqual(answer.headers, {
      'Cache-Control': 'no-cache',
      ETag: tag,
      'Last-Modified': MODIFIED,
    });
  }
});

test('a copy that is as new as the file is answered with 304', async () => {
  const dates = ['Sat, 21 Nov 2020 00:00:00 GMT', 'Saturday, 21-Nov-20 00:00:00 GMT'];
  for (const date of [MODIFIED, ...dates, 'Sat Nov 21 00:00:00 2020']) {
    const answer = await answerTo('/styles.css', { 'if-modified-since': date });
    assert.equal(answer.status, 304, date);
  }
});

test('an older, a future or an invalid date is answered with the file', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  const dates = ['Fri, 20 Nov 2020 18:02:10 GMT', inAnHour, 'yesterday'];
  for (const date of dates) {
    const answer = await answerTo('/styles.css', { 'if-modified-since': date });
    assert.equal(answer.status, 200, date);
  }
});

test('If-None-Match decides over If-Modified-Since', async () => {
  const stale = { 'if-none-match': '"other"', 'if-modified-since': MODIFIED };
  assert.equal((await answerTo('/styles.css', stale)).status, 200);
  const fresh = { 'if-none-match': await etag(), 'if-modified-since': 'yesterday' };
  assert.equal((await answerTo('/styles.css', fresh)).status, 304);
});

test('a file that If-Match or If-Unmodified-Since does not expect is a 412', async () => {
  const tag = await etag();
  const date = 'Fri, 20 Nov 2020 18:02:10 GMT';
  const status = async (headers: Readonly<Record<string, string>>) =>
    (await answerTo('/styles.css', headers)).status;
  for (const value of ['"other"', `W/${tag}`, `junk ${tag}`, ''])
    assert.equal(await status({ 'if-match': value, 'if-none-match': tag }), 412, value);
  for (const value of [tag, `"other", ${tag}`, '*'])
    assert.equal(await status({ 'if-match': value, 'if-unmodified-since': date }), 200, value);
  assert.equal(await status({ 'if-unmodified-since': date }), 412);
  assert.equal(await status({ 'if-unmodified-since': date, 'if-none-match': tag }), 412);
  assert.equal(await status({ 'if-unmodified-since': MODIFIED }), 200);
  assert.equal(await status({ 'if-unmodified-since': 'yesterday' }), 200);
  assert.equal(await status({ 'if-match': tag, 'if-none-match': tag }), 304);
});

test('a file that changes gets another tag', async () => {
  writeFileSync(join(publicFolder, 'styles.css'), `${STYLES} `);
  const changed = serveFiles(loadFiles(publicFolder));
  const headers = { 'if-none-match': await etag() };
  const context = { request: get('/styles.css', { headers }), route: null };
  const answer = await changed(context, () => PASSED_ON);
  assert.equal(answer.status, 200);
});

test('a POST is passed on', async () => {
  const answer = await serve({ request: post('/styles.css'), route: null }, () => PASSED_ON);
  assert.equal(answer, PASSED_ON);
});

test('a path that is not the path of a file is passed on', async () => {
  const targets = [
    '/',
    '/styles.css/',
    '/STYLES.CSS',
    '/icons',
    '/icons/',
    '//styles.css',
    '/./styles.css',
    '/icons/../styles.css',
    '/styles.css%00',
    '/styles.css;x',
    '/styles.css%20',
    '/__proto__',
    '/constructor',
    '*',
  ];
  for (const target of targets) assert.equal(await answerTo(target), PASSED_ON, target);
});

test('no traversal gives the bytes of a file', async () => {
  const ups = ['..', '%2e%2e', '%2E.', '%252e%252e', '..;', '%u002e%u002e', '.%00.'];
  const slashes = ['/', '%2f', '%2F', '%252f', '\\', '%5c', '//', '/./'];
  const targets = ups.flatMap((up) =>
    slashes.flatMap((slash) => [
      `/${up}${slash}secret.txt`,
      `/icons${slash}${up}${slash}${up}${slash}secret.txt`,
      `${slash}${up}${slash}${up}${slash}etc/passwd`,
      `/icons/${up}${slash}styles.css`,
    ]),
  );
  const others = ['//etc/passwd', `/${folder}/secret.txt`, '/file:///etc/passwd'];
  for (const target of [...targets, ...others]) {
    assert.equal(await answerTo(target), PASSED_ON, target);
  }
});

test('a file whose type is not known is refused at the start', () => {
  for (const name of ['.env', 'page.html', 'script.ts', 'LICENSE']) {
    const unknown = mkdtempSync(join(folder, 'unknown-'));
    writeFileSync(join(unknown, name), '');
    assert.throws(
      () => loadFiles(unknown),
      (error) => error instanceof TypeError && error.message.includes(join(unknown, name)),
    );
  }
});

test('a folder that is not there is refused at the start', () => {
  assert.throws(() => loadFiles(join(folder, 'nowhere')), { code: 'ENOENT' });
});
