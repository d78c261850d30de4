/** What a running application writes: the request log, and nothing that could forge it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { serializeDraft } from 'seeother';
import { encodeFields } from 'seeother/testing';
import type { Environment } from '../settings/config.ts';
import { type RunningApplication, startApplication } from '../testing/start-application.ts';
import { type Site, startInProcess } from '../testing/start-in-process.ts';

const LINE = /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] \[[A-Z]+\] [\x21-\x7e]+ \d{3}$/;
const PASSWORD = 'correct horse battery';

/** In this process: only what main.ts does with the lines needs one of its own. */
async function startHere(t: TestContext, environment?: Environment): Promise<Site> {
  const site = await startInProcess(environment);
  t.after(() => site.stop());
  return site;
}

const linesHere = (site: Site) => site.log().split('\n');

async function start(t: TestContext, environment?: Environment): Promise<RunningApplication> {
  const site = await startApplication(environment);
  t.after(() => site.stop());
  return site;
}

/** Every line of the log, complete because the application has ended. */
async function linesOf(site: RunningApplication): Promise<readonly string[]> {
  assert.equal(await site.stop(), 0);
  const { log } = site.output();
  assert.ok(log.endsWith('\n'), 'the last line has no end');
  return log.slice(0, -1).split('\n');
}

function withoutTime(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/^\[[^\]]*\] /, ''));
}

async function send(site: Pick<Site, 'url'>, path: string, fields: Record<string, string>) {
  const body = new URLSearchParams(encodeFields(fields));
  return fetch(`${site.url}${path}`, { method: 'POST', body, redirect: 'manual' });
}

test('every request is one line of the specified shape, matched or not', async (t) => {
  const site = await start(t);
  const paths = ['/items', '/items/1', '/items/99', '/', '/items/new', '/styles.css', '/nothing'];
  for (const path of [...paths, '/%zz', '/items?q=secret']) {
    await (await fetch(`${site.url}${path}`, { redirect: 'manual' })).text();
  }
  await send(site, '/items', { name: 'Drill' });
  await fetch(`${site.url}/items`, { method: 'HEAD' });
  await fetch(`${site.url}/items`, { method: 'DELETE' });
  const lines = await linesOf(site);
  for (const line of lines) assert.match(line, LINE);
  assert.deepEqual(withoutTime(lines), [
    '[GET] /items 200',
    '[GET] /items/1 200',
    '[GET] /items/99 404',
    '[GET] / 303',
    '[GET] /items/new 303',
    '[GET] /styles.css 200',
    '[GET] /nothing 404',
    '[GET] /%zz 400',
    '[GET] /items 200',
    '[POST] /items 401',
    '[HEAD] /items 200',
    '[DELETE] /items 404',
  ]);

  // So is everything on standard error after the start, as JSON.
  const [first = '', ...rest] = site.output().errors.trimEnd().split('\n');
  assert.ok(first.endsWith(` Listening on ${site.url}`), first);
  const entries = rest.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.equal(entries.at(-1)?.['message'], 'Stopped: every request was answered.');
  assert.deepEqual(
    entries
      .slice(0, -1)
      .map(({ status, method, path, route }) => ({ status, method, path, route })),
    [
      { status: 400, method: 'GET', path: '/%zz', route: null },
      { status: 401, method: 'POST', path: '/items', route: 'POST /items' },
    ],
  );
});

test('closed connections are counted in lines of the error log', async (t) => {
  const site = await startHere(t);
  const { hostname, port } = new URL(site.url);
  const flood = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500);
  const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname));
  await Promise.all(
    sockets.map(async (socket) => {
      socket.on('error', () => {}).write(flood);
      await once(socket.resume(), 'close');
    }),
  );
  await site.stop();
  const lines = site.errors().split('\n');
  const counts = lines
    .filter((line) => line.includes('Connections were closed.'))
    .map((line) => JSON.parse(line).flooding);
  assert.ok(counts.length < sockets.length, `${counts.length} lines`);
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    sockets.length,
  );
});

test('with LOG_USERS=1 the line of a logged-in user is followed by the name', async (t) => {
  const site = await startHere(t, { LOG_USERS: '1' });
  const answer = await send(site, '/register', { username: 'ada', password: PASSWORD });
  const [cookie] = /\bsid=[\w-]{43}/.exec(answer.headers.getSetCookie().join()) ?? [''];
  await fetch(`${site.url}/items`);
  for (const path of ['/items', '/nothing', '/items/99']) {
    await (await fetch(`${site.url}${path}`, { headers: { cookie } })).text();
  }
  assert.deepEqual(withoutTime(linesHere(site)), [
    '[POST] /register 303',
    '[GET] /items 200',
    '[GET] /items 200',
    'logged in as ada',
    '[GET] /nothing 404',
    'logged in as ada',
    '[GET] /items/99 404',
    'logged in as ada',
  ]);
});

test('with LOG_FORMAT=json a line is one object, whatever the path', async (t) => {
  const site = await startHere(t, { LOG_FORMAT: 'json', LOG_USERS: '1' });
  const account = { username: 'ada', password: PASSWORD };
  const answer = await send(site, '/register', account);
  const [cookie] = /\bsid=[\w-]{43}/.exec(answer.headers.getSetCookie().join()) ?? [''];
  for (const path of ['/items/1', '/x%0A%22,%22status%22:200,%22', '/%E2%80%A8'])
    await (await fetch(`${site.url}${path}`, { headers: { cookie } })).text();
  const [, ...lines] = linesHere(site).map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ method, path, status, route, user }) => [method, path, status, route, user]),
    [
      ['GET', '/items/1', 200, '/items/:number<int>', 'ada'],
      ['GET', '/x%0A%22,%22status%22:200,%22', 400, null, 'ada'],
      ['GET', '/%E2%80%A8', 404, null, 'ada'],
    ],
  );
  for (const { milliseconds } of lines) assert.ok(milliseconds >= 0);
});

test('no path can write a second line or make a line look like another', async (t) => {
  const site = await startHere(t, { LOG_USERS: '1' });
  const paths = [
    '/x%0A[2026-11-20T18:02:11.123Z]%20[GET]%20/forged%20200',
    '/x%0D%0Alogged%20in%20as%20root',
    '/x%20200%20',
    '/%1b[31mred',
    '/%E2%80%A8line%E2%80%A9separators',
    '/%C2%85',
    '/%EF%BB%BF',
    '/%250A',
    `/${'long'.repeat(1_000)}`,
  ];
  for (const path of paths) await (await fetch(`${site.url}${path}`)).text();
  const lines = linesHere(site);
  assert.equal(lines.length, paths.length);
  for (const line of lines) assert.match(line, LINE);
  assert.match(
    lines[0] ?? '',
    / \/x%0A\[2026-11-20T18:02:11\.123Z\]%20\[GET\]%20\/forged%20200 400$/,
  );
  assert.match(lines.at(-1) ?? '', / \/long.{2043} 404$/);
});

test('a request line with raw control characters or other bytes is refused, and forges nothing', async (t) => {
  const site = await startHere(t);
  const { hostname, port } = new URL(site.url);
  for (const target of ['/a\rb', '/a\u001bb', '/\u00e4', '/a\u0085b', '/a b', '/a\\b']) {
    const socket = connect(Number(port), hostname);
    socket.setEncoding('latin1');
    let answer = '';
    socket.on('data', (text: string) => {
      answer += text;
    });
    const request = `GET ${target} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`;
    socket.end(Buffer.from(request, 'latin1'));
    await once(socket, 'close');
    assert.match(answer, /^HTTP\/1\.1 400 /, JSON.stringify(target));
  }
  await fetch(`${site.url}/healthz`);
  const lines = linesHere(site);
  for (const line of lines) assert.match(line, LINE);
  assert.equal(withoutTime(lines).at(-1), '[GET] /healthz 200');
  for (const line of lines.slice(0, -1)) assert.match(line, / 400$/);
});

test('the logs contain no password, no cookie and no typed text', async (t) => {
  const site = await startHere(t, { LOG_USERS: '1' });
  const account = { username: 'ada', password: PASSWORD };
  const answer = await send(site, '/register', account);
  const [cookie] = /\bsid=[\w-]{43}/.exec(answer.headers.getSetCookie().join()) ?? [''];
  await send(site, '/login', { ...account, password: `${PASSWORD}!` });
  await send(site, '/items', { name: 'typed-text' });
  await fetch(`${site.url}/items?token=in-the-query`, { headers: { cookie } });
  await site.stop();
  assert.match(site.log(), /\[POST\] \/login 401/);
  for (const secret of [PASSWORD, cookie.slice(4), 'typed-text', 'in-the-query']) {
    assert.ok(secret.length > 8);
    assert.equal(`${site.log()}${site.errors()}`.includes(secret), false, secret);
  }
});

test('a failed write of the session store is a line of JSON with its error', async (t) => {
  const site = await start(t);
  const account = { username: 'ada', password: PASSWORD };
  await send(site, '/register', account);
  const parts = { action: '/items', path: '/items/new', once: null, language: 'en' };
  const draft = serializeDraft({ ...parts, fields: { name: 'Drill' } });
  const answer = await send(site, '/login', { ...account, draft });
  const [cookie] = /\bsid=[\w-]{43}/.exec(answer.headers.getSetCookie().join()) ?? [''];
  const database = new DatabaseSync(site.databaseFile, { timeout: 10_000 });
  database.exec(
    "create trigger fault before update on sessions begin select raise(abort, 'no pen'); end",
  );
  database.close();
  const discarded = await fetch(`${site.url}/draft/discard`, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams(),
    redirect: 'manual',
  });
  assert.equal(discarded.status, 303);
  await site.stop();
  const [, ...lines] = site.output().errors.trimEnd().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as Record<string, string>);
  const warning = entries.find(({ security }) => security === undefined);
  assert.match(warning?.['message'] ?? '', /^Cannot write to the session store: no pen\. /);
  assert.match(warning?.['cause'] ?? '', /no pen/);
  assert.match(warning?.['stack'] ?? '', /\n\s+at /);
});
