/** The turns and the transactions, with a thread that is none: it answers when the test lets it. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { createFakeWriter } from '../testing/create-fake-writer.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { createGroupCommit, type Turn, type TurnLimits } from './group-commit.ts';
import type { Step } from './sqlite-steps.ts';

function openNotes(t: TestContext, limits?: TurnLimits) {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  t.after(() => database.close());
  database.exec(`
    create table notes (text text primary key check (text <> 'bad'));
    create table replies (note text references notes (text) deferrable initially deferred)`);
  const first = createFakeWriter(database);
  const threads = [first];
  const write = createGroupCommit(() => {
    const last = threads.at(-1);
    if (last?.isAlive()) return last;
    const next = createFakeWriter(database);
    threads.push(next);
    return next;
  }, limits);
  const insert = ({ run }: Turn, text: string) => run('insert into notes values (?)', [text]);
  return {
    write,
    insert,
    add: (text: string) => write((turn) => insert(turn, text)),
    thread: first,
    count: (kind: Step['kind']) =>
      threads.flatMap(({ steps }) => steps).filter((one) => one === kind).length,
    texts: () =>
      database
        .prepare('select text from notes order by rowid')
        .all()
        .map((row) => row['text']),
  };
}

/** Until nothing more can happen by itself. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const note = () => {
    isSettled = true;
  };
  promise.then(note, note);
  await settle();
  return !isSettled;
}

test('writes of one turn of the event loop share a transaction', async (t) => {
  const { add, count, texts } = openNotes(t);
  await Promise.all(['a', 'b', 'c', 'd'].map(add));
  assert.equal(count('commit'), 1);
  assert.deepEqual(texts(), ['a', 'b', 'c', 'd']);
});

test('writes that come while a commit is under way share the next transaction', async (t) => {
  const { write, insert, add, thread, count } = openNotes(t);
  const first = write(async (turn) => {
    await insert(turn, 'first');
    thread.hold();
  });
  await settle();
  assert.equal(count('commit'), 1);
  const others = ['a', 'b', 'c'].map(add);
  await settle();
  assert.equal(count('commit'), 1, 'the second transaction is still open');
  thread.goOn();
  await Promise.all([first, ...others]);
  assert.equal(count('commit'), 2);
});

test('a transaction holds a hundred writes and no more', async (t) => {
  const { add, count, texts } = openNotes(t);
  const names = Array.from({ length: 250 }, (_, index) => `note ${index}`);
  await Promise.all(names.map(add));
  assert.equal(count('commit'), 3);
  assert.deepEqual(texts(), names);
});

test('a write that has done its work is not fulfilled before the commit of all', async (t) => {
  const { add, write, insert, thread } = openNotes(t);
  const first = add('first');
  const second = write(async (turn) => {
    await insert(turn, 'second');
    assert.ok(await isPending(first), 'the first is fulfilled while the second is under way');
    thread.hold();
  });
  assert.ok(await isPending(first));
  assert.ok(await isPending(second));
  thread.goOn();
  await Promise.all([first, second]);
});

test('a write that fails is rejected alone, and after the commit too', async (t) => {
  const { add, write, insert, thread, texts } = openNotes(t);
  const first = add('first');
  const failing = write(async (turn) => {
    await insert(turn, 'second');
    throw new Error('changed my mind');
  });
  const bad = add('bad');
  const last = write(async (turn) => {
    await insert(turn, 'last');
    thread.hold();
  });
  const outcomes = Promise.allSettled([failing, bad]);
  assert.ok(await isPending(outcomes.then(([one]) => one)));
  thread.goOn();
  await Promise.all([first, last]);
  const reasons = (await outcomes).map((one) => one.status === 'rejected' && String(one.reason));
  assert.deepEqual(reasons[0], 'Error: changed my mind');
  assert.match(String(reasons[1]), /CHECK constraint/);
  assert.deepEqual(texts(), ['first', 'last']);
});

test('a statement that nobody waited for fails its work', async (t) => {
  const { write, insert, texts } = openNotes(t);
  const failing = write(async (turn) => {
    insert(turn, 'bad').catch(() => {});
    return 'well';
  });
  await assert.rejects(failing, /CHECK constraint/);
  assert.deepEqual(texts(), []);
});

test('when the commit fails every write of the transaction fails', async (t) => {
  const { add, write, texts } = openNotes(t);
  const orphan = write(({ run }) => run('insert into replies values (?)', ['of nothing']));
  const outcomes = await Promise.allSettled([add('one'), orphan, add('bad'), add('two')]);
  for (const one of outcomes)
    assert.match(String(one.status === 'rejected' && one.reason), /FOREIGN KEY constraint/);
  assert.deepEqual(texts(), []);
  await add('three');
  assert.deepEqual(texts(), ['three']);
});

test('work that stands still is taken back, and the others go on', async (t) => {
  const { write, insert, add, texts } = openNotes(t, { still: 20, wait: 10_000 });
  let late: Turn | undefined;
  const hanging = write(async (turn) => {
    late = turn;
    await insert(turn, 'hanging');
    await new Promise(() => {});
  });
  const other = add('other');
  await assert.rejects(hanging, (error) => {
    assert.ok(error instanceof DatabaseUnavailable);
    assert.match(error.message, /did not come in time/);
    assert.equal(error.outcome, 'not saved');
    return true;
  });
  await other;
  assert.deepEqual(texts(), ['other']);
  const insertLate = insert(late ?? assert.fail('it did not run'), 'late');
  await assert.rejects(insertLate, /the transaction is over/);
});

test('a thread that does not answer is not held against the work', async (t) => {
  const { write, insert, thread, texts } = openNotes(t, { still: 10, wait: 10_000 });
  thread.hold();
  const slow = write((turn) => insert(turn, 'slow'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  thread.goOn();
  await slow;
  assert.deepEqual(texts(), ['slow']);
});

test('who has waited too long for a turn is told so, and what is under way goes on', async (t) => {
  const { add, thread, texts } = openNotes(t, { still: 10_000, wait: 20 });
  thread.hold();
  const first = add('first');
  const second = add('second');
  await assert.rejects(second, (error) => {
    assert.ok(error instanceof DatabaseUnavailable);
    assert.match(error.message, /under way for too long/);
    assert.equal(error.outcome, 'not saved');
    return true;
  });
  thread.goOn();
  await first;
  assert.deepEqual(texts(), ['first']);
});

test('a thread that ends during the commit leaves it open whether the writes were saved', async (t) => {
  const { write, insert, add, thread } = openNotes(t);
  const outcomes = Promise.allSettled([
    add('one'),
    write(async (turn) => {
      await insert(turn, 'two');
      thread.hold();
    }),
  ]);
  await settle();
  thread.die();
  for (const one of await outcomes) {
    assert.ok(one.status === 'rejected' && one.reason instanceof DatabaseUnavailable);
    assert.equal(one.reason.outcome, 'unknown');
  }
});

test('of a thread that ends before the commit, nothing is saved, not even by the next thread', async (t) => {
  const { add, write, insert, thread, count } = openNotes(t);
  const outcomes = Promise.allSettled([
    add('one'),
    write(async (turn) => {
      thread.die();
      await insert(turn, 'two');
    }),
    add('three'),
  ]);
  for (const one of await outcomes) {
    assert.ok(one.status === 'rejected' && one.reason instanceof DatabaseUnavailable);
    assert.equal(one.reason.outcome, 'not saved');
  }
  assert.equal(count('commit'), 0);
  await write(({ run }) => run('select 1', []));
  assert.equal(count('commit'), 1);
});
