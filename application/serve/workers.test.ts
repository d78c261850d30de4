/** Several processes on one port and one SQLite file. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { encodeFields } from 'seeother/testing';
import type { Environment } from '../settings/config.ts';
import { createTestFolder } from '../testing/open-test-database.ts';
import {
  type RunningApplication,
  runApplication,
  startApplication,
} from '../testing/start-application.ts';

/** Milliseconds to wait for what should come at once. */
const LIMIT = 30_000;
const ADA = { username: 'ada', password: 'correct horse battery' };
/** Each request over a connection of its own, which any worker may take. */
const CLOSE = { connection: 'close' };

async function start(t: TestContext, environment: Environment = {}): Promise<RunningApplication> {
  const site = await startApplication({ WORKERS: '2', SAMPLE_ITEMS: '0', ...environment });
  t.after(() => {
    for (const pid of listening(site)) killIfThere(pid);
    site.process.kill('SIGKILL');
  });
  return site;
}

/** A worker that outlives its primary would keep the test from its end. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}

/** The workers that have said that they listen, once there are so many; rejects when there never are. */
async function pidsOf(site: RunningApplication, count: number): Promise<readonly number[]> {
  const limit = { signal: AbortSignal.timeout(LIMIT) };
  for (;;) {
    const pids = listening(site);
    if (pids.length >= count) return pids;
    await once(site.process.stderr ?? site.process, 'data', limit);
  }
}

function listening(site: RunningApplication): readonly number[] {
  const found = site.output().errors.matchAll(/"A worker listens\.","worker":(\d+)/g);
  return [...found].map(([, pid]) => Number(pid));
}

/** The status and the place that the answer leads to; null when the connection broke. */
async function send(url: string, path: string, fields: Record<string, string>, cookie = '') {
  try {
    const answer = await fetch(url + path, {
      method: 'POST',
      body: new URLSearchParams(encodeFields(fields)),
      headers: { ...CLOSE, cookie },
      redirect: 'manual',
    });
    await answer.arrayBuffer();
    const { status, headers } = answer;
    const line = headers.getSetCookie().find((one) => one.startsWith('sid='));
    return { status, location: headers.get('location'), cookie: line?.split(';')[0] ?? '' };
  } catch {
    return null;
  }
}

/** What standard error holds when nothing starts. */
async function refusalOf(t: TestContext, environment: Environment): Promise<string> {
  const url = `sqlite:${join(createTestFolder(t), 'application.db')}`;
  const run = runApplication({ WORKERS: '3', PORT: '0', DATABASE_URL: url, ...environment });
  t.after(() => run.process.kill('SIGKILL'));
  // One that starts all the same would never end.
  void run.match(/(Listening) on /).then(() => run.process.kill('SIGKILL'));
  const { code, errors } = await run.ended;
  assert.equal(code, 1);
  assert.match(errors, /^[^\n]+\n$/, 'standard error has not exactly one line');
  return errors;
}

test('several workers print one start line, and their log lines name the worker', async (t) => {
  const site = await start(t, { WORKERS: '3', SAMPLE_ITEMS: '1' });
  const pids = await pidsOf(site, 3);
  assert.equal(new Set(pids).size, 3);
  const [first = '', ...others] = site.output().errors.trimEnd().split('\n');
  assert.ok(first.endsWith(` Listening on ${site.url}`), first);
  for (const line of others) JSON.parse(line);
  const page = await (await fetch(`${site.url}/items`)).text();
  assert.equal(page.match(/>Label printer</g)?.length, 1, 'the samples are there once');
});

test('with one worker killed halfway, forms sent three times each count once, without a gap', async (t) => {
  const site = await start(t);
  const registered = await send(site.url, '/register', ADA);
  const cookie = registered?.cookie ?? '';
  const FORMS = 100;
  const places: (readonly (string | null | undefined)[])[] = [];
  let next = 0;
  const sendForms = async () => {
    while (next < FORMS) {
      const number = next++;
      const fields = { name: `Thing ${number}`, _once: `page-${number}` };
      const form = () => send(site.url, '/items', fields, cookie);
      const answers = await Promise.all([form(), form(), form()]);
      // What got no answer is sent again, as a person does.
      places[number] = [...answers, await form()].map((answer) => answer?.location);
      if (number === FORMS / 2) process.kill(pids[0] ?? 0, 'SIGKILL');
    }
  };
  const pids = await pidsOf(site, 2);
  await Promise.all(Array.from({ length: 8 }, sendForms));
  assert.equal((await pidsOf(site, 3)).length, 3, 'another worker has taken its place');
  assert.match(
    site.output().errors,
    /"A worker has ended with SIGKILL; another starts in 100 ms\./,
  );
  // Whether a connection broke is chance: the other worker may have had them all at that moment.

  const database = new DatabaseSync(site.databaseFile, { readOnly: true });
  const rows = database.prepare('select number, name from items order by number').all();
  database.close();
  const numbers = rows.map(({ number }) => number);
  assert.deepEqual(
    numbers,
    Array.from({ length: FORMS }, (_, index) => index + 1),
  );
  const paths = new Map(rows.map(({ number, name }) => [name, `/items/${number}`]));
  places.forEach((all, number) => {
    for (const place of all) if (place) assert.equal(place, paths.get(`Thing ${number}`));
  });
});

test('a session, its message and the throttle of log-ins hold on every worker', async (t) => {
  const site = await start(t);
  const [first = 0, second = 0] = await pidsOf(site, 2);
  /** Only the other worker answers meanwhile. */
  const without = async <T>(pid: number, work: () => Promise<T>): Promise<T> => {
    process.kill(pid, 'SIGSTOP');
    try {
      return await work();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  };
  const registered = await without(first, () => send(site.url, '/register', ADA));
  const headers = { ...CLOSE, cookie: registered?.cookie ?? '' };
  const form = { name: 'Drill', _once: 'the-same-page' };
  const create = () => send(site.url, '/items', form, headers.cookie);
  const created = await without(first, create);
  assert.equal((await without(second, create))?.location, created?.location);
  const showItem = async () => (await fetch(`${site.url}${created?.location}`, { headers })).text();
  const page = await without(second, showItem);
  assert.match(page, /Logged in as<\/span> <strong>ada</);
  assert.match(page, /role="status"/);
  assert.doesNotMatch(await without(first, showItem), /role="status"/);

  const guess = async (count: number) => {
    for (; count > 0; count--) {
      const answer = await send(site.url, '/login', { ...ADA, password: 'a wrong guess' });
      assert.equal(answer?.status, 401);
    }
  };
  await without(first, () => guess(5));
  await without(second, () => guess(5));
  for (const pid of [first, second]) {
    const answer = await without(pid, () => send(site.url, '/login', ADA));
    assert.equal(answer?.status, 429);
  }
  await without(first, () => send(site.url, '/logout', {}, headers.cookie));
  const showForm = () => fetch(`${site.url}/items/new`, { headers, redirect: 'manual' });
  assert.equal((await without(second, showForm)).status, 303);
});

test('the log lines of all workers are complete', async (t) => {
  const site = await start(t);
  const path = `/${'long'.repeat(400)}`;
  const ask = async () => {
    for (let count = 0; count < 100; count++)
      await (await fetch(site.url + path, { headers: CLOSE })).text();
  };
  await Promise.all([ask(), ask(), ask(), ask()]);
  assert.equal(await site.stop(), 0);
  const lines = site.output().log.trimEnd().split('\n');
  assert.equal(lines.length, 400);
  for (const line of lines) assert.match(line, /^\[[-:.\dTZ]{24}\] \[GET\] \/(long){400} 404$/);
});

test('a stopped worker is replaced, and no request fails', async (t) => {
  const site = await start(t);
  const [pid = 0] = await pidsOf(site, 2);
  process.kill(pid, 'SIGTERM');
  const replaced = pidsOf(site, 3);
  for (let count = 0; count < 50; count++) {
    const answer = await fetch(`${site.url}/items`, { headers: CLOSE });
    assert.equal(answer.status, 200);
  }
  await replaced;
  assert.match(site.output().errors, /"A worker has ended with exit code 0; another starts in/);
});

test('a worker of an older release is replaced after a newer one has migrated the database', async (t) => {
  const site = await start(t);
  const [pid = 0] = await pidsOf(site, 2);
  const database = new DatabaseSync(site.databaseFile, { timeout: 10_000 });
  database.exec("insert into kysely_migration (name, timestamp) values ('9999-later', '')");
  database.close();
  killIfThere(pid);
  await pidsOf(site, 3);
  assert.match(
    site.output().errors,
    /migrations: 9999-later is not known here, so a newer version/,
  );
});

test('when the primary is killed, its workers end', async (t) => {
  const site = await start(t);
  await pidsOf(site, 2);
  // "close" comes when no process holds the pipes any more.
  const closed = once(site.process, 'close', { signal: AbortSignal.timeout(LIMIT) });
  site.process.kill('SIGKILL');
  await closed;
  await assert.rejects(fetch(site.url));
});

test('an error that prevents all workers from starting is one line and exit code 1', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const port = String((other.address() as AddressInfo).port);
  assert.match(await refusalOf(t, { PORT: port }), /another program is already listening there/);
  assert.match(await refusalOf(t, { BODY_LIMIT: '-1' }), /^Cannot start with BODY_LIMIT=-1/);
  const folder = createTestFolder(t);
  assert.match(await refusalOf(t, { DATABASE_URL: `sqlite:${folder}` }), /^Cannot open the data/);
});
