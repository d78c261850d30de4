/** Groups on a database in memory, with a sync that ends when the test says so. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Connection, DatabaseUnavailable, type Outcome } from '../database/database.ts';
import { createGroupCommit, type WriteLimits } from './group-commit.ts';
import { prepareStatements } from './statements.ts';

function openNotes(t: TestContext, limits: Partial<WriteLimits> = {}) {
  const connection = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  t.after(() => connection.close());
  connection.exec(`
    create table notes (text text primary key check (text <> 'bad'));
    create table replies (note text references notes (text) deferrable initially deferred)`);
  /** One for each sync: the number of notes that were committed before it. */
  const syncs: number[] = [];
  const lost: Error[] = [];
  let gate = Promise.resolve();
  const statements: string[] = [];
  const runStatement = prepareStatements(connection);
  const { write, finish } = createGroupCommit({
    connection,
    run(sql, values) {
      statements.push(sql);
      return runStatement(sql, values);
    },
    async sync() {
      assert.ok(!connection.isTransaction, 'synced before the commit');
      syncs.push(texts().length);
      await gate;
    },
    onLost: (error) => lost.push(error),
    limits,
  });
  const texts = () =>
    connection
      .prepare('select text from notes order by rowid')
      .all()
      .map((row) => row['text']);
  const insert = (run: Connection['run'], text: string) =>
    run('insert into notes values (?)', [text]);
  return {
    connection,
    write,
    finish,
    insert,
    add: (text: string) => write(async ({ run }) => insert(run, text)),
    statements,
    syncs,
    lost,
    /** The next syncs wait for what is returned. */
    holdSyncs() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      promise.catch(() => {});
      gate = promise;
      return { goOn: resolve, fail: () => reject(new Error('EIO: i/o error, fdatasync')) };
    },
    texts,
  };
}

/** Until nothing more can happen by itself. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const note = () => {
    isSettled = true;
  };
  promise.then(note, note);
  await settle();
  return !isSettled;
}

const unavailable = (outcome: Outcome, why: RegExp) => (error: unknown) => {
  assert.ok(error instanceof DatabaseUnavailable);
  assert.match(error.message, why);
  assert.equal(error.outcome, outcome);
  return true;
};

test('writes of one turn of the event loop share a transaction and its sync', async (t) => {
  const { add, syncs, texts } = openNotes(t);
  await Promise.all(['a', 'b', 'c', 'd'].map(add));
  assert.deepEqual(syncs, [4]);
  assert.deepEqual(texts(), ['a', 'b', 'c', 'd']);
});

test('writes of successive turns of the event loop share a transaction and its sync', async (t) => {
  const { add, syncs } = openNotes(t, { collect: 60_000 });
  const added: Promise<unknown>[] = [];
  for (const text of ['a', 'b', 'c']) {
    // Asked for before the write, so that this turn comes before the one that the group waits for.
    const turn = nextTurn();
    added.push(add(text));
    await turn;
  }
  await Promise.all(added);
  assert.deepEqual(syncs, [3]);
});

test('a group begins while every turn of the event loop brings more writes', async (t) => {
  const { add, syncs, finish } = openNotes(t);
  for (let count = 0; syncs.length === 0; count++) {
    assert.ok(count < 100_000, 'no group has begun');
    const turn = nextTurn();
    add(`note ${count}`);
    await turn;
  }
  await finish();
});

test('writes that arrive during a sync are the next group', async (t) => {
  const { add, holdSyncs, syncs } = openNotes(t);
  const { goOn } = holdSyncs();
  const first = add('first');
  await settle();
  assert.deepEqual(syncs, [1]);
  const others = ['a', 'b', 'c'].map(add);
  await settle();
  assert.deepEqual(syncs, [1], 'the second group has begun');
  goOn();
  await Promise.all([first, ...others]);
  assert.deepEqual(syncs, [1, 4]);
});

test('a group holds at most a hundred writes', async (t) => {
  const { add, syncs, texts } = openNotes(t);
  const names = Array.from({ length: 250 }, (_, index) => `note ${index}`);
  await Promise.all(names.map(add));
  assert.deepEqual(syncs, [100, 200, 250]);
  assert.deepEqual(texts(), names);
});

test('the event loop runs between the writes of a long group', async (t) => {
  const { write, insert, syncs } = openNotes(t);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  const addSlowly = (text: string) =>
    write(async ({ run }) => {
      await insert(run, text);
      for (const start = performance.now(); performance.now() - start < 4; );
    });
  setImmediate(count);
  await Promise.all(Array.from({ length: 10 }, (_, index) => addSlowly(`note ${index}`)));
  isOver = true;
  assert.deepEqual(syncs, [10]);
  assert.ok(turns >= 9, `${turns} turns`);
});

test('the writes of a group settle after its sync', async (t) => {
  const { add, holdSyncs } = openNotes(t);
  const { goOn } = holdSyncs();
  const good = add('good');
  const bad = add('bad');
  assert.ok(await isPending(good));
  assert.ok(await isPending(bad));
  goOn();
  await good;
  await assert.rejects(bad, /CHECK constraint/);
});

test('a failed write is rolled back, and the others of its group are saved', async (t) => {
  const { add, write, insert, texts } = openNotes(t);
  const failing = write(async ({ run }) => {
    await insert(run, 'second');
    throw new Error('changed my mind');
  });
  const throwing = write(() => {
    throw new Error('threw at once');
  });
  const outcomes = await Promise.allSettled([add('first'), failing, throwing, add('last')]);
  assert.deepEqual(
    outcomes.map((one) => one.status === 'rejected' && String(one.reason)),
    [false, 'Error: changed my mind', 'Error: threw at once', false],
  );
  assert.deepEqual(texts(), ['first', 'last']);
});

test('a failed statement fails its write, even if the write catches the error', async (t) => {
  const { write, insert, texts } = openNotes(t);
  const failing = write(async ({ run }) => {
    await assert.rejects(insert(run, 'bad'), /CHECK constraint/);
    await assert.rejects(insert(run, 'after it'), /CHECK constraint/);
    return 'well';
  });
  await assert.rejects(failing, /CHECK constraint/);
  assert.deepEqual(texts(), []);
});

test('when the commit fails, every write of the group fails, and the next write succeeds', async (t) => {
  const { add, write, syncs, texts } = openNotes(t);
  const orphan = write(async ({ run }) => run('insert into replies values (?)', ['of nothing']));
  const outcomes = await Promise.allSettled([add('one'), orphan, add('bad'), add('two')]);
  for (const one of outcomes)
    assert.match(String(one.status === 'rejected' && one.reason), /FOREIGN KEY constraint/);
  assert.deepEqual([syncs, texts()], [[], []]);
  await add('three');
  assert.deepEqual(texts(), ['three']);
});

test('when the transaction cannot begin, its writes fail, and the next write succeeds', async (t) => {
  const { connection, add, texts } = openNotes(t);
  connection.exec('begin');
  const outcomes = await Promise.allSettled([add('one'), add('two')]);
  for (const one of outcomes)
    assert.match(String(one.status === 'rejected' && one.reason), /within a transaction/);
  await add('three');
  assert.deepEqual(texts(), ['three']);
});

test('a write that makes SQLite end the transaction fails alone; a second one fails all writes before it', async (t) => {
  const { add, write, texts } = openNotes(t);
  const end = () =>
    write(async ({ run }) => run("insert or rollback into notes values ('one')", []));
  const outcomes = await Promise.allSettled([add('one'), end(), add('two')]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const twice = await Promise.allSettled([add('three'), end(), end(), add('four')]);
  for (const one of twice.slice(0, 3))
    assert.match(String(one.status === 'rejected' && one.reason), /UNIQUE constraint/);
  assert.deepEqual(texts(), ['one', 'two', 'four']);
});

test('writes run once, without savepoints, unless one of their group fails', async (t) => {
  const { write, insert, statements } = openNotes(t);
  const runs: string[] = [];
  const add = (text: string) =>
    write(async ({ run }) => {
      runs.push(text);
      await insert(run, text);
    });
  await Promise.all(['a', 'b', 'c'].map(add));
  assert.deepEqual(runs.splice(0), ['a', 'b', 'c']);
  assert.ok(!statements.includes('savepoint work'));
  await Promise.allSettled(['d', 'bad', 'e'].map(add));
  assert.deepEqual(runs, ['d', 'bad', 'd', 'e']);
});

test('a hanging write is rolled back, and the others continue', async (t) => {
  const { write, insert, add, texts } = openNotes(t, { idle: 20 });
  let late: Connection['run'] | undefined;
  const hanging = write(async ({ run }) => {
    late = run;
    await insert(run, 'hanging');
    await new Promise(() => {});
  });
  const other = add('other');
  await assert.rejects(hanging, unavailable('not saved', /did not come in time/));
  await other;
  assert.deepEqual(texts(), ['other']);
  await assert.rejects(
    insert(late ?? assert.fail('it did not run'), 'late'),
    /transaction is over/,
  );
});

test('a write that has waited too long for its group is rejected, and the group continues', async (t) => {
  const { add, holdSyncs, texts } = openNotes(t, { wait: 20 });
  const { goOn } = holdSyncs();
  const first = add('first');
  await settle();
  await assert.rejects(add('second'), unavailable('not saved', /under way for too long/));
  goOn();
  await first;
  assert.deepEqual(texts(), ['first']);
});

test('after a failed sync the outcome of its group is unknown, and nothing more is written', async (t) => {
  const { add, holdSyncs, syncs, lost, finish, texts } = openNotes(t);
  const { fail } = holdSyncs();
  const first = add('first');
  await settle();
  const second = add('second');
  fail();
  await assert.rejects(first, unavailable('unknown', /the disk has failed to save/));
  await assert.rejects(second, unavailable('not saved', /the disk has failed to save/));
  await assert.rejects(add('third'), unavailable('not saved', /the disk has failed to save/));
  await finish();
  assert.deepEqual([syncs.length, lost.length, texts()], [1, 1, ['first']]);
  assert.match(String(lost[0]?.cause), /EIO/);
});
