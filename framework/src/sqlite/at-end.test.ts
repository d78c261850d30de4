/** What writes pass to `atEnd` runs at the end of the transaction that they share. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { DatabaseUnavailable } from '../database/database.ts';
import type { OpenTransaction } from '../database/write.ts';
import { createGroupCommit } from './group-commit.ts';
import { prepareStatements } from './statements.ts';

function openNotes(t: TestContext) {
  const connection = new DatabaseSync(':memory:');
  t.after(() => connection.close());
  connection.exec("create table notes (text text primary key check (text <> 'bad'))");
  let commits = 0;
  const { write } = createGroupCommit({
    connection,
    run: prepareStatements(connection),
    async sync() {
      commits++;
    },
    onLost: assert.fail,
    // One test waits for it; a busy machine must not end the others by it.
    limits: { idle: 300 },
  });
  return {
    write,
    commits: () => commits,
    texts: () =>
      connection
        .prepare('select text from notes order by rowid')
        .all()
        .map((row) => row['text']),
  };
}

const insert = ({ run }: OpenTransaction, text: string) =>
  run('insert into notes values (?)', [text]);

/** A write that adds one note at once, and another one at the end of the transaction. */
const addWithEnd = (text: string, last: string) => async (transaction: OpenTransaction) => {
  await insert(transaction, text);
  transaction.atEnd(async () => {
    await insert(transaction, last);
  });
};

test('atEnd functions run after all writes of the group, in the same transaction', async (t) => {
  const { write, texts, commits } = openNotes(t);
  await Promise.all([
    write(addWithEnd('a', 'end of a')),
    write(addWithEnd('b', 'end of b')),
    write((transaction) => insert(transaction, 'c')),
  ]);
  assert.deepEqual(texts(), ['a', 'b', 'c', 'end of a', 'end of b']);
  assert.equal(commits(), 1);
});

test('a failing atEnd function rolls back its own write alone', async (t) => {
  const { write, texts } = openNotes(t);
  const notes = [addWithEnd('a', 'end of a'), addWithEnd('b', 'bad'), addWithEnd('c', 'end of c')];
  const outcomes = await Promise.allSettled(notes.map(write));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(texts(), ['a', 'end of a', 'c', 'end of c']);
});

test('a hanging atEnd function is rolled back with its write', async (t) => {
  const { write, texts } = openNotes(t);
  const hanging = write(async (transaction) => {
    await insert(transaction, 'hanging');
    transaction.atEnd(() => new Promise(() => {}));
  });
  const other = write((transaction) => insert(transaction, 'other'));
  await assert.rejects(hanging, DatabaseUnavailable);
  await other;
  assert.deepEqual(texts(), ['other']);
});

test('a transaction accepts no statement between its write and its atEnd function', async (t) => {
  const { write, texts } = openNotes(t);
  const errors: unknown[] = [];
  const forgetful = write(async (transaction) => {
    transaction.atEnd(async () => {});
    setImmediate(() => insert(transaction, 'late').catch((error) => errors.push(error)));
  });
  const slow = write(async (transaction) => {
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await insert(transaction, 'slow');
  });
  await Promise.all([forgetful, slow]);
  assert.match(String(errors[0]), /the transaction is over/);
  assert.deepEqual(texts(), ['slow']);
});
