/** How the application starts, refuses to start, and stops. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { encodeFields } from 'seeother/testing';
import type { Environment } from '../settings/config.ts';
import { createTestFolder } from '../testing/open-test-database.ts';
import { findFreePort } from '../testing/postgres/find-free-port.ts';
import {
  type RunningApplication,
  runApplication,
  startApplication,
} from '../testing/start-application.ts';
import { startInProcess } from '../testing/start-in-process.ts';

/** The one line with which the application refuses to start. */
async function refusalOf(t: TestContext, environment: Environment): Promise<string> {
  const file = join(createTestFolder(t), 'application.db');
  const run = runApplication({ DATABASE_URL: `sqlite:${file}`, PORT: '0', ...environment });
  t.after(() => run.process.kill('SIGKILL'));
  // One that starts all the same would never end.
  void run.match(/(Listening) on /).then(() => run.process.kill('SIGKILL'));
  const { code, log, errors } = await run.ended;
  assert.equal(code, 1);
  assert.equal(log, '');
  assert.match(errors, /^[^\n]+\n$/, 'standard error has not exactly one line');
  return errors.trimEnd();
}

/** The exit code of a process that is to end; rejects when it does not. */
async function codeOf({ process }: RunningApplication): Promise<number | null> {
  const [code] = await once(process, 'close', { signal: AbortSignal.timeout(60_000) });
  return code;
}

test('the start is one line on standard error that ends with the address', async (t) => {
  const site = await startApplication();
  t.after(() => site.stop());
  assert.match(
    site.output().errors,
    /^Everybody who can open this site can read the items, [^\n]* \(READERS=everybody\) There is no account yet: open \/register [^\n:]* Listening on http:\/\/127\.0\.0\.1:\d+\n$/,
  );
  assert.equal(site.output().log, '');
  assert.equal((await fetch(`${site.url}/readyz`)).status, 200);
});

test('an empty database starts with sample items, unless SAMPLE_ITEMS is 0', async (t) => {
  const shown = async (environment: Environment) => {
    const site = await startInProcess(environment);
    t.after(() => site.stop());
    return (await fetch(`${site.url}/items`)).text();
  };
  assert.match(await shown({}), /Label printer/);
  assert.match(await shown({ SAMPLE_ITEMS: '0' }), /Nothing here yet/);
  assert.match(await shown({ NODE_ENV: 'production', ALLOW_HTTP: '1' }), /Nothing here yet/);
});

test('SIGTERM and SIGINT end the service with exit code 0 and every line of the log', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const site = await startApplication();
    t.after(() => site.stop());
    for (let count = 0; count < 20; count++) await fetch(`${site.url}/healthz`);
    site.process.kill(signal);
    assert.equal(await codeOf(site), 0, signal);
    assert.equal(site.output().log.match(/ \[GET\] \/healthz 200\n/g)?.length, 20, signal);
  }
});

test('lines that wait for a slow reader are written before the end', async (t) => {
  const site = await startApplication();
  t.after(() => site.stop());
  site.process.stdout?.pause();
  // More than a pipe and both its ends hold.
  const path = `/${'long'.repeat(500)}`;
  for (let count = 0; count < 400; count++) await (await fetch(`${site.url}${path}`)).text();
  site.process.kill('SIGTERM');
  site.process.stdout?.resume();
  assert.equal(await codeOf(site), 0);
  assert.equal(site.output().log.match(/ \[GET\] \/(long){500} 404\n/g)?.length, 400);
});

test('items and sessions survive a restart', async (t) => {
  const url = `sqlite:${join(createTestFolder(t), 'application.db')}`;
  const first = await startApplication({ DATABASE_URL: url });
  t.after(() => first.stop());
  const send = (site: string, path: string, fields: Record<string, string>, cookie = '') =>
    fetch(`${site}${path}`, {
      method: 'POST',
      body: new URLSearchParams(encodeFields(fields)),
      headers: cookie === '' ? {} : { cookie },
      redirect: 'manual',
    });
  const account = { username: 'ada', password: 'correct horse battery' };
  const registered = await send(first.url, '/register', account);
  const [cookie] = /\bsid=[\w-]{43}/.exec(registered.headers.getSetCookie().join()) ?? [''];
  const item = { name: 'Drill', _once: 'the-same-page' };
  const created = await send(first.url, '/items', item, cookie);
  const path = created.headers.get('location');
  assert.equal(path, '/items/7');
  assert.equal(await first.stop(), 0);

  const second = await startApplication({ DATABASE_URL: url });
  t.after(() => second.stop());
  assert.equal((await fetch(`${second.url}${path}`)).status, 200);
  assert.equal((await fetch(`${second.url}/items/new`, { headers: { cookie } })).status, 200);
  const again = await send(second.url, '/items', item, cookie);
  assert.equal(again.headers.get('location'), path);
  const next = await send(second.url, '/items', { name: 'Other' }, cookie);
  assert.equal(next.headers.get('location'), '/items/8');
});

test('a port in use is one line of error', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const port = String((other.address() as AddressInfo).port);
  const refusal = await refusalOf(t, { PORT: port });
  assert.ok(refusal.startsWith(`Cannot listen on 127.0.0.1:${port}: another program is already`));
  assert.match(refusal, /set PORT to another number\.$/);
});

test('an address of another machine is one line of error', async (t) => {
  const refusal = await refusalOf(t, { HOST: '192.0.2.1' });
  assert.match(
    refusal,
    /^Cannot listen on 192\.0\.2\.1:0: this machine does not have this address\./,
  );
});

test('the start waits for a locked database, with one line', async (t) => {
  const file = join(createTestFolder(t), 'application.db');
  const other = new DatabaseSync(file);
  other.exec('pragma journal_mode = wal; begin immediate');
  const run = runApplication({
    DATABASE_URL: `sqlite:${file}`,
    PORT: '0',
    DATABASE_TIMEOUT: '0.1',
  });
  t.after(() => run.process.kill('SIGKILL'));
  assert.match(await run.match(/"message":"(Waiting [^"]+)/), /another program holds it locked/);
  other.exec('commit');
  other.close();
  const url = await run.match(/Listening on (http:\S+)/);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  assert.equal(run.output().errors.split('\n').length, 3);
});

test('a signal ends a start that waits for the database', async (t) => {
  const DATABASE_URL = `postgres://ada@127.0.0.1:${await findFreePort()}/things`;
  for (const WORKERS of ['1', '2']) {
    const run = runApplication({ DATABASE_URL, PORT: '0', WORKERS });
    t.after(() => run.process.kill('SIGKILL'));
    assert.match(await run.match(/"message":"(Waiting [^"]+)/), /no server listens there/);
    run.process.kill('SIGTERM');
    assert.equal((await run.ended).code, 0);
  }
});

test('an invalid value is one line that names it', async (t) => {
  assert.match(await refusalOf(t, { PORT: 'http' }), /^Cannot start with PORT=http: /);
  assert.match(await refusalOf(t, { BODY_LIMIT: '-1' }), /^Cannot start with BODY_LIMIT=-1: /);
});

test('an insecure production setting is one line that says what to set', async (t) => {
  const NODE_ENV = 'production';
  assert.match(await refusalOf(t, { NODE_ENV }), /^Cannot start in production: .*PUBLIC_ORIGIN/);
});

test('a refused configuration leaves nothing on the disk', async (t) => {
  const file = join(createTestFolder(t), 'folder', 'application.db');
  await refusalOf(t, { DATABASE_URL: `sqlite:${file}`, PORT: 'http' });
  assert.equal(existsSync(join(file, '..')), false);
});
