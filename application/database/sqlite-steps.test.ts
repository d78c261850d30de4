import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { type Answer, createTakeStep, type Step } from './sqlite-steps.ts';

const END: Step = { kind: 'end' };
const UNDO: Step = { kind: 'undo' };
const COMMIT: Step = { kind: 'commit' };

const run = (sql: string, ...parameters: readonly unknown[]): Step => ({
  kind: 'run',
  sql,
  parameters,
});
const add = (text: string): Step => run('insert into notes (text) values (?)', text);

function open(t: TestContext, begin?: () => void) {
  const database = new DatabaseSync(':memory:');
  t.after(() => database.close());
  database.exec("create table notes (text text unique check (text <> 'bad'))");
  const take = createTakeStep(database, begin ?? (() => database.exec('begin immediate')));
  return {
    database,
    /** Of each step the message of its failure, or null. */
    takeAll: (...steps: readonly Step[]) => steps.map((step) => messageOf(take(step))),
    take,
    texts: () =>
      database
        .prepare('select text from notes order by rowid')
        .all()
        .map((row) => row['text']),
  };
}

const messageOf = (answer: Answer) => ('failure' in answer ? answer.failure.message : null);
const BAD = /^CHECK constraint failed/;

test('one transaction holds the work of several, until the commit', (t) => {
  const { database, takeAll, texts } = open(t);
  takeAll(add('one'), END, add('two'), END);
  assert.ok(database.isTransaction);
  takeAll(COMMIT);
  assert.ok(!database.isTransaction);
  assert.deepEqual(texts(), ['one', 'two']);
});

test('work that is undone takes back its own and nothing else', (t) => {
  const { takeAll, texts } = open(t);
  takeAll(add('one'), END, add('two'), add('three'), UNDO, add('four'), END, COMMIT);
  assert.deepEqual(texts(), ['one', 'four']);
});

test('a statement that fails fails the rest of its work, which leaves nothing, and no other', (t) => {
  const { takeAll, texts } = open(t);
  const answers = takeAll(add('one'), END, add('two'), add('bad'), add('three'), END, add('four'));
  for (const failed of [3, 4, 5]) assert.match(String(answers[failed]), BAD);
  assert.deepEqual(answers.filter((one) => one === null).length, 4);
  assert.deepEqual(takeAll(END, COMMIT), [null, null]);
  assert.deepEqual(texts(), ['one', 'four']);
});

test('when SQLite ends the transaction everything in it fails, and the next one begins anew', (t) => {
  const { takeAll, texts } = open(t);
  takeAll(add('one'), END);
  const broken = /^UNIQUE constraint failed/;
  const answers = takeAll(
    run("insert or rollback into notes values ('one')"),
    END,
    add('two'),
    UNDO,
    add('three'),
    END,
    COMMIT,
  );
  for (const answer of answers) assert.match(String(answer), broken);
  assert.deepEqual(takeAll(add('four'), END, COMMIT), [null, null, null]);
  assert.deepEqual(texts(), ['four']);
});

test('a transaction that cannot begin fails all that was to be in it, without another try', (t) => {
  let tries = 0;
  const { takeAll, texts } = open(t, () => {
    tries++;
    throw new Error('database is locked');
  });
  const answers = takeAll(add('one'), END, add('two'), UNDO, COMMIT);
  assert.deepEqual(answers, Array(5).fill('database is locked'));
  assert.equal(tries, 1);
  assert.deepEqual(texts(), []);
});

test('a commit that fails takes everything back, and says that it was the commit', (t) => {
  const { database, take, takeAll, texts } = open(t);
  database.exec(
    'pragma foreign_keys = on; create table replies (note text references notes (text) deferrable initially deferred)',
  );
  takeAll(add('one'), END, run("insert into replies values ('of nothing')"), END);
  const answer = take(COMMIT);
  assert.ok('failure' in answer);
  assert.match(answer.failure.message, /^FOREIGN KEY/);
  assert.ok(answer.failure.inCommit);
  assert.ok(!database.isTransaction);
  takeAll(add('two'), END, COMMIT);
  assert.deepEqual(texts(), ['two']);
});

test('a failure keeps the codes of SQLite', (t) => {
  const { take } = open(t);
  const answer = take(add('bad'));
  assert.ok('failure' in answer);
  const { code, errcode, inCommit } = answer.failure;
  assert.deepEqual(
    { code, errcode, inCommit },
    { code: 'ERR_SQLITE_ERROR', errcode: 275, inCommit: false },
  );
});

test('work without a statement needs no transaction', (t) => {
  const { takeAll } = open(t, () => assert.fail('it begins one'));
  assert.deepEqual(takeAll(END, UNDO, COMMIT), [null, null, null]);
});
