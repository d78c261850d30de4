/** The thread itself, told step by step. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { createTestFolder } from '../testing/open-test-database.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { BEGIN_SQLITE, SET_UP_SQLITE } from './engine.ts';
import { startSqliteWriter } from './sqlite-writer.ts';

/** Takes a good part of a second. */
const LONG = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers limit 3000000)
  select count(*) as count from numbers`;

async function start(t: TestContext, file = join(createTestFolder(t), 'application.db')) {
  const started = once(process, 'worker');
  const data = { setUp: SET_UP_SQLITE, begin: BEGIN_SQLITE, lockTimeout: 2_000 };
  const writer = startSqliteWriter({ file, ...data });
  t.after(() => writer.close());
  const [thread] = (await started) as [Worker];
  return {
    writer,
    thread,
    run: (sql: string) => writer.post({ kind: 'run', sql, parameters: [] }),
    end: () => writer.post({ kind: 'end' }),
    commit: () => writer.post({ kind: 'commit' }),
  };
}

const unavailable = (outcome: string) => (error: unknown) => {
  assert.ok(error instanceof DatabaseUnavailable);
  assert.equal(error.outcome, outcome);
  return true;
};

test('whoever waits for a commit does not wait for the transaction after it', async (t) => {
  const { run, end, commit } = await start(t);
  await run('create table notes (text text)');
  const saved = Promise.all([run("insert into notes values ('one')"), end(), commit()]);
  let isLongOver = false;
  const long = run(LONG).then(({ rows }) => {
    isLongOver = true;
    return rows;
  });
  await saved;
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(!isLongOver, 'both answers came together');
  assert.deepEqual(await long, [{ count: 3_000_000 }]);
});

test('of a thread that ends, only a commit that was under way may have been saved', async (t) => {
  const { writer, thread, run, end, commit } = await start(t);
  const outcomes = Promise.allSettled([run('select 1'), end(), commit()]);
  await thread.terminate();
  const [first, second, third] = await outcomes;
  const reasons = [first, second, third].map((one) => one.status === 'rejected' && one.reason);
  for (const [index, outcome] of ['not saved', 'not saved', 'unknown'].entries())
    unavailable(outcome)(reasons[index]);
  assert.ok(!writer.isAlive());
  await assert.rejects(commit(), unavailable('not saved'));
});

test('a thread that cannot open the file says why', async (t) => {
  const { run, writer } = await start(t, join(createTestFolder(t), 'missing', 'application.db'));
  await assert.rejects(run('select 1'), (error) => {
    assert.match(String(error), /cannot be opened or made/);
    return unavailable('not saved')(error);
  });
  assert.ok(!writer.isAlive());
});

test('a failure comes from the thread with its code', async (t) => {
  const { run, end } = await start(t);
  await assert.rejects(run('select * from missing'), {
    message: 'no such table: missing',
    errcode: 1,
  });
  await assert.rejects(end(), /no such table/);
});

test("a message that is Node's own, as in watch mode, is ignored", async (t) => {
  // What `node --watch` sets: the thread then reports each file that it loads.
  process.env['WATCH_REPORT_DEPENDENCIES'] = '1';
  t.after(() => delete process.env['WATCH_REPORT_DEPENDENCIES']);
  const { run, end, commit } = await start(t);
  await Promise.all([run('create table notes (text text)'), end(), commit()]);
});
