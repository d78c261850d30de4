import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cacheReads } from './read-cache.ts';
import { prepareStatements } from './statements.ts';

/** A cached read of one note, a connection that changes it, and how often the version was checked. */
function openNotes(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-read-cache-'));
  const file = join(folder, 'notes.db');
  const writer = new DatabaseSync(file);
  writer.exec(
    "pragma journal_mode = wal; create table notes (text text); insert into notes values ('old')",
  );
  const reader = new DatabaseSync(file, { readOnly: true });
  t.after(() => {
    reader.close();
    writer.close();
    rmSync(folder, { recursive: true });
  });
  let reads = 0;
  let checks = 0;
  const run = prepareStatements(reader);
  const prepare = reader.prepare.bind(reader);
  t.mock.method(reader, 'prepare', (sql: string) => {
    const statement = prepare(sql);
    const get = statement.get.bind(statement);
    t.mock.method(statement, 'get', () => {
      checks++;
      return get();
    });
    return statement;
  });
  const cached = cacheReads(reader, (sql, values) => {
    reads++;
    return run(sql, values);
  });
  return {
    write: (text: string) => writer.prepare('update notes set text = ?').run(text),
    read: () => cached('select text from notes').rows[0],
    counts: () => ({ reads, checks }),
  };
}

test('reads that follow one another check for a commit once, and again after a promise', async (t) => {
  const { read, counts } = openNotes(t);
  read();
  await nextTurn();
  const before = counts();
  for (let count = 0; count < 5; count++) assert.deepEqual(read(), { text: 'old' });
  const { reads, checks } = counts();
  assert.deepEqual([reads - before.reads, checks - before.checks], [0, 1]);
  await null;
  read();
  assert.equal(counts().checks, checks + 1);
});

test('a commit of another connection is visible in the next turn of the event loop', async (t) => {
  const { write, read } = openNotes(t);
  assert.deepEqual(read(), { text: 'old' });
  write('new');
  await nextTurn();
  assert.deepEqual(read(), { text: 'new' });
});
