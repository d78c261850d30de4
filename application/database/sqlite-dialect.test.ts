import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { type Generated, Kysely, sql } from 'kysely';
import { createSqliteDialect } from './sqlite-dialect.ts';

interface Notes {
  readonly notes: { id: Generated<number>; text: string | null; parent: number | null };
}

async function openNotes(t: TestContext): Promise<Kysely<Notes>> {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  database.exec(`create table notes (
    id integer primary key,
    text text,
    parent integer references notes (id) deferrable initially deferred
  )`);
  const kysely = new Kysely<Notes>({ dialect: createSqliteDialect(database) });
  t.after(() => kysely.destroy());
  return kysely;
}

const note = (text: string | null) => ({ text, parent: null });

async function textsOf(notes: Kysely<Notes>): Promise<readonly (string | null)[]> {
  const rows = await notes.selectFrom('notes').select('text').orderBy('id').execute();
  return rows.map(({ text }) => text);
}

test('an insert gives the id of the new row, and a change the number of rows changed', async (t) => {
  const notes = await openNotes(t);
  const [first] = await notes.insertInto('notes').values(note('one')).execute();
  const [second] = await notes.insertInto('notes').values(note('two')).execute();
  assert.equal(first?.insertId, 1n);
  assert.equal(second?.insertId, 2n);
  const [changed] = await notes.updateTable('notes').set({ text: 'other' }).execute();
  assert.equal(changed?.numUpdatedRows, 2n);
});

test('a statement with a returning clause gives its rows', async (t) => {
  const notes = await openNotes(t);
  const returned = await notes
    .insertInto('notes')
    .values([note('one'), note(null)])
    .returning(['id', 'text'])
    .execute();
  assert.deepEqual(
    returned.map(({ id, text }) => [id, text]),
    [
      [1, 'one'],
      [2, null],
    ],
  );
});

test('a value is never read as SQL', async (t) => {
  const notes = await openNotes(t);
  const texts = ["'; drop table notes; --", "' or 1=1 --", '?', '🔧 \u202e "quoted"'];
  for (const text of texts) await notes.insertInto('notes').values(note(text)).execute();
  assert.deepEqual(await textsOf(notes), texts);
  const found = await notes.selectFrom('notes').select('id').where('text', '=', "' or 1=1 --");
  assert.deepEqual(
    (await found.execute()).map(({ id }) => id),
    [2],
  );
});

test('an error in a statement leaves the connection usable', async (t) => {
  const notes = await openNotes(t);
  await assert.rejects(sql`select * from missing`.execute(notes), /no such table: missing/);
  await notes.insertInto('notes').values(note('after')).execute();
  assert.deepEqual(await textsOf(notes), ['after']);
});

test('a query from outside waits until a transaction is over', async (t) => {
  const notes = await openNotes(t);
  let outside: Promise<readonly (string | null)[]> | undefined;
  await notes.transaction().execute(async (transaction) => {
    await transaction.insertInto('notes').values(note('one')).execute();
    outside = textsOf(notes);
    await new Promise((resolve) => setImmediate(resolve));
    await transaction.insertInto('notes').values(note('two')).execute();
  });
  assert.deepEqual(await outside, ['one', 'two']);
});

test('a transaction that fails at its commit leaves nothing', async (t) => {
  const notes = await openNotes(t);
  const orphan = notes
    .transaction()
    .execute((transaction) =>
      transaction.insertInto('notes').values({ text: 'orphan', parent: 99 }).execute(),
    );
  await assert.rejects(orphan, /FOREIGN KEY/);
  await notes.insertInto('notes').values(note('after')).execute();
  assert.deepEqual(await textsOf(notes), ['after']);
});

test('an error that has rolled the transaction back already is the one that is seen', async (t) => {
  const notes = await openNotes(t);
  const failing = notes.transaction().execute(async (transaction) => {
    await transaction.insertInto('notes').values(note('one')).execute();
    await sql`insert or rollback into notes (id) values (1)`.execute(transaction);
  });
  await assert.rejects(failing, /UNIQUE/);
  assert.deepEqual(await textsOf(notes), []);
});

test('rows can be read one by one, and left half way', async (t) => {
  const notes = await openNotes(t);
  await notes.insertInto('notes').values(['a', 'b', 'c'].map(note)).execute();
  const seen: (string | null)[] = [];
  for await (const { text } of notes.selectFrom('notes').select('text').orderBy('id').stream()) {
    seen.push(text);
    if (text === 'b') break;
  }
  assert.deepEqual(seen, ['a', 'b']);
  assert.deepEqual(await textsOf(notes), ['a', 'b', 'c']);
});

test('a statement that was run before sees a column that was added later', async (t) => {
  const notes = await openNotes(t);
  await notes.insertInto('notes').values(note('one')).execute();
  await notes.selectFrom('notes').selectAll().execute();
  await sql`alter table notes add column colour text default 'red'`.execute(notes);
  const [row] = await notes.selectFrom('notes').selectAll().execute();
  assert.deepEqual({ ...row }, { id: 1, text: 'one', parent: null, colour: 'red' });
});

test('more different statements than are kept prepared all run', async (t) => {
  const notes = await openNotes(t);
  for (let number = 0; number < 1_100; number++) {
    const { rows } = await sql<{ n: number }>`select ${sql.lit(number)} as n`.execute(notes);
    assert.equal(rows[0]?.n, number);
  }
});
