import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import test, { type TestContext } from 'node:test';
import { DatabaseUnavailable } from 'seeother/database';
import type { Database } from '../database/kysely.ts';
import { openImport } from '../testing/open-import.ts';
import { testOnEngines } from '../testing/open-test-database.ts';
import { createImportRunner } from './import-runner.ts';

/** Seven steps. */
const ROWS = 350;
const FILE = `name,quantity\n${Array.from({ length: ROWS }, (_, at) => `Thing ${at},${at}\n`).join('')}`;

async function openRunning(t: TestContext) {
  const opened = await openImport(t);
  const planned = await opened.plan(FILE);
  await opened.confirm(planned);
  const reports: unknown[] = [];
  return {
    ...opened,
    ...{ planned, reports },
    /** The names of all items, in the order of their numbers. */
    async names() {
      const rows = await opened.database.read
        .selectFrom('items')
        .select('name')
        .orderBy('number')
        .execute();
      return rows.map(({ name }) => name);
    },
  };
}

const ALL = Array.from({ length: ROWS }, (_, at) => `Thing ${at}`);

testOnEngines(
  'an import that is interrupted after any step continues with the next row',
  async (t) => {
    const { imports, planned, find, names } = await openRunning(t);
    // A holder that makes one step and is gone: the next one waits for its lease, unless it lets go.
    for (let count = 0; (await imports.step(planned.id, `holder ${count}`)) === 'more'; count++) {
      assert.equal(await imports.step(planned.id, 'another'), 'busy');
      assert.equal(await imports.findWaiting(), null);
      await imports.release(`holder ${count}`);
      assert.equal(await imports.findWaiting(), planned.id);
    }
    assert.deepEqual((await find(planned.id)).done, {
      rows: ROWS,
      created: ROWS,
      changed: 0,
      left: 0,
    });
    assert.deepEqual(await names(), ALL);
  },
);

testOnEngines('a failed step writes nothing, and the next step imports its rows', async (t) => {
  const { database, items, planned, find, names, imports } = await openRunning(t);
  const { createImportStep } = await import('./import-step.ts');
  let calls = 0;
  const step = createImportStep(database, {
    create: (...args) => {
      if (++calls % 70 === 0) throw new Error('killed');
      return items.create(...args);
    },
  });
  let failures = 0;
  for (;;) {
    const before = (await find(planned.id)).done.rows;
    const result = await step(planned.id, 'one').catch(() => 'failed');
    if (result === 'over') break;
    if (result !== 'failed') continue;
    failures++;
    assert.equal((await find(planned.id)).done.rows, before);
    assert.equal((await names()).length, before);
  }
  assert.ok(failures > 3, `${failures}`);
  assert.equal(await imports.findWaiting(), null);
  assert.deepEqual(await names(), ALL);
});

testOnEngines('one process at a time runs an import', async (t) => {
  const { imports, planned, names, find } = await openRunning(t);
  const run = async (holder: string) => {
    for (;;) {
      const result = await imports.step(planned.id, holder);
      if (result === 'over') return;
      if (result === 'busy') await imports.release('one');
    }
  };
  await Promise.all([run('one'), run('two'), run('three')]);
  assert.equal((await find(planned.id)).state, 'done');
  assert.deepEqual(await names(), ALL);
});

/** As if another process had taken it, whose clock is not ours. */
async function holdUntil(database: Database, milliseconds: number): Promise<void> {
  const held_until = new Date(Date.now() + milliseconds).toISOString();
  await database.write((transaction) =>
    transaction.updateTable('imports').set({ held_until }).execute(),
  );
}

testOnEngines(
  'another process takes over an import whose lease has expired, or is of a clock that was set back',
  async (t) => {
    const { database, imports, planned } = await openRunning(t);
    for (const milliseconds of [-1, 25 * 3_600_000]) {
      await imports.step(planned.id, 'killed');
      assert.equal(await imports.findWaiting(), null);
      await holdUntil(database, milliseconds);
      assert.equal(await imports.findWaiting(), planned.id);
      assert.equal(await imports.step(planned.id, 'another'), 'more');
      await imports.release('another');
    }
  },
);

testOnEngines('an import ends when its author may no longer change items', async (t) => {
  const { database, imports, planned, find, names } = await openRunning(t);
  await imports.step(planned.id, 'one');
  const written = (await names()).length;
  await database.write((transaction) =>
    transaction.updateTable('accounts').set({ role: 'reader' }).execute(),
  );
  assert.equal(await imports.step(planned.id, 'one'), 'over');
  const { state, problem } = await find(planned.id);
  assert.deepEqual([state, problem], ['stopped', 'The account may not change items any more.']);
  assert.equal((await names()).length, written);
});

test('a runner waits while the database is unavailable, says why, and can stop between two steps', async (t) => {
  const { imports, planned, find, names } = await openRunning(t);
  const full = new DatabaseUnavailable('the disk is full.', { disk: 'full' });
  const steps = new EventEmitter();
  const reasons: unknown[] = [];
  let count = 0;
  const faulty = {
    ...imports,
    step: async (id: number, holder: string) => {
      reasons.push(first.waitsFor(id));
      assert.equal(first.waitsFor(id + 1), null);
      if (++count === 2) throw full;
      const result = await imports.step(id, holder);
      steps.emit('step', result);
      return result;
    },
  };
  const first = createImportRunner(faulty, (entry) => assert.fail(entry.message));
  const third = (async () => {
    for (let seen = 0; seen < 3; seen++) await once(steps, 'step');
  })();
  first.wake();
  assert.equal(count, 0, 'it was not started');
  first.start();
  await third;
  await first.stop();
  assert.deepEqual(reasons.slice(0, 4), [null, null, full, null]);
  assert.equal((await find(planned.id)).state, 'running');
  assert.ok((await names()).length < ROWS);
  const over = (async () => {
    while ((await once(steps, 'step'))[0] !== 'over');
  })();
  const second = createImportRunner(faulty, (entry) => assert.fail(entry.message));
  t.after(second.stop);
  second.start();
  await over;
  assert.equal((await find(planned.id)).state, 'done');
  assert.deepEqual(await names(), ALL);
});

test('an unexpected error is reported once and ends the import', async (t) => {
  const { imports, planned, find } = await openRunning(t);
  const reported = Promise.withResolvers<string>();
  const faulty = { ...imports, step: async () => Promise.reject(new TypeError('a bug')) };
  const runner = createImportRunner(faulty, ({ message }) => reported.resolve(message));
  t.after(runner.stop);
  runner.start();
  assert.equal(await reported.promise, `The import ${planned.id} was stopped by an error.`);
  await runner.stop();
  assert.match((await find(planned.id)).problem, /An error has stopped the import/);
});
