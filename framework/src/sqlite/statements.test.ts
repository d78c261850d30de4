import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { prepareStatements } from './statements.ts';

function openNotes(t: TestContext) {
  const database = new DatabaseSync(':memory:');
  t.after(() => database.close());
  const run = prepareStatements(database);
  run('create table notes (id integer primary key, text text)');
  return run;
}

test('a change gives the number of rows changed, and a returning clause gives rows', (t) => {
  const run = openNotes(t);
  assert.deepEqual(run('insert into notes (text) values (?), (?)', ['one', null]), {
    rows: [],
    changes: 2,
  });
  assert.deepEqual(run('update notes set text = ? returning id, text', ['two']).rows, [
    { id: 1, text: 'two' },
    { id: 2, text: 'two' },
  ]);
});

test('a value is never read as SQL, nor as named parameters', (t) => {
  const run = openNotes(t);
  const texts = ["'; drop table notes; --", "' or 1=1 --", '?', '🔧 \u202e "quoted"'];
  for (const text of texts) run('insert into notes (text) values (?)', [text]);
  assert.deepEqual(
    run('select text from notes order by id').rows,
    texts.map((text) => ({ text })),
  );
  assert.deepEqual(run('select id from notes where text = ?', ["' or 1=1 --"]).rows, [{ id: 2 }]);
  const named = { 1: 'one' } as never;
  assert.throws(() => run('select id from notes where text = ?', [named]), TypeError);
});

test('an error in a statement leaves the connection usable', (t) => {
  const run = openNotes(t);
  assert.throws(() => run('select * from missing'), /no such table: missing/);
  assert.equal(run('insert into notes (text) values (?)', ['after']).changes, 1);
  // As PostgreSQL: code that counts changed rows may not fail when it also asks for them.
  assert.equal(
    run('update notes set text = text returning text').changes,
    run('select * from notes').rows.length,
  );
});

test('a prepared statement sees a column that was added later', (t) => {
  const run = openNotes(t);
  run('insert into notes (text) values (?)', ['one']);
  run('select * from notes');
  run("alter table notes add column colour text default 'red'");
  assert.deepEqual(run('select * from notes').rows, [{ id: 1, text: 'one', colour: 'red' }]);
});

test('the last row may have a number that no JavaScript number can hold', (t) => {
  const run = openNotes(t);
  const statement = "insert into notes values (9223372036854775807, 'last')";
  assert.deepEqual(run(statement), { rows: [], changes: 1 });
});

test('more statements than are cached all run', (t) => {
  const run = openNotes(t);
  for (let number = 0; number < 1_100; number++)
    assert.deepEqual(run(`select ${number} as n`).rows, [{ n: number }]);
});
