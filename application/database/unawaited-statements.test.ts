/** A statement whose promise no code awaits: an unhandled rejection would end the process. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connection, WriteTransaction } from 'seeother/database';
import { openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';

const GOOD = "insert into counters (name, value) values ('good', 1)";
const BAD = "insert into counters (name, value) values ('bad', null)";
const NOT_NULL = /not.null/i;

async function openCounters(t: TestContext) {
  const { door } = await openTestDatabase(t);
  return {
    ...door,
    namesOf: async () => (await door.read.run('select name from counters')).rows.map(toName),
  };
}

function toName({ name }: Readonly<Record<string, unknown>>): unknown {
  return name;
}

/** Rejections that no code handles fail the test that runs. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

testOnEngines('a statement that nobody awaits fails its write with its own error', async (t) => {
  const { write, namesOf } = await openCounters(t);
  const works = [
    async ({ run }: WriteTransaction) => void run(BAD),
    async ({ run }: WriteTransaction) => {
      run(GOOD);
      run(BAD);
      run(GOOD);
    },
    async ({ run }: WriteTransaction) => {
      run(BAD);
      await run(GOOD);
    },
    async ({ run, atEnd }: WriteTransaction) => {
      await run(GOOD);
      atEnd(async () => void run(BAD));
    },
  ];
  for (const work of works) {
    await assert.rejects(write(work), NOT_NULL);
    await settle();
    assert.deepEqual(await namesOf(), []);
  }
});

testOnEngines('a statement that nobody awaits is committed with its write', async (t) => {
  const { write, namesOf } = await openCounters(t);
  await write(async ({ run, atEnd }) => {
    run(GOOD);
    atEnd(async () => void run("insert into counters (name, value) values ('last', 1)"));
  });
  assert.deepEqual(await namesOf(), ['good', 'last']);
});

testOnEngines('an error of the write itself is its error, whatever nobody awaits', async (t) => {
  const { write, namesOf } = await openCounters(t);
  const working = write(async ({ run }) => {
    run(GOOD);
    run(BAD);
    throw new Error('changed my mind');
  });
  await assert.rejects(working, /changed my mind/);
  await settle();
  assert.deepEqual(await namesOf(), []);
});

testOnEngines('a statement that nobody awaits after the end is a warning', async (t) => {
  const { write, snapshot, namesOf } = await openCounters(t);
  const keep = async ({ run }: Connection) => run;
  for (const run of [await write(keep), await snapshot(keep)]) {
    const warned = once(process, 'warning');
    run(GOOD);
    const [warning] = await warned;
    assert.match(String(warning), /Cannot run insert into .*: the transaction is over\. Await/);
    await assert.rejects(run(GOOD), /the transaction is over/);
  }
  assert.deepEqual(await namesOf(), []);
});

testOnEngines('a read that nobody awaits ends no process, and fails its snapshot', async (t) => {
  const { read, cachedRead, slowRead, snapshot } = await openCounters(t);
  for (const { run } of [read, slowRead]) run('select value from nowhere');
  try {
    cachedRead.run('select value from nowhere');
  } catch (error) {
    // On SQLite, it is carried out at once.
    assert.match(String(error), /nowhere/);
  }
  const reading = snapshot(async ({ run }) => void run('select value from nowhere'));
  await assert.rejects(reading, /nowhere/);
  await settle();
});
