import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { Kysely } from 'kysely';
import { createSqliteDialect } from '../testing/create-sqlite-dialect.ts';
import { up as makeFirstTables } from './migrations/0001-first-tables.ts';
import { up as addAccountsAndSessions } from './migrations/0002-accounts-and-sessions.ts';

const TIME = '2026-01-02T03:04:05.678Z';

/** A database as the first version left it: an account, a session, two items with tags, a receipt. */
async function openFirstVersion(t: TestContext) {
  const connection = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  const database = new Kysely<unknown>({ dialect: createSqliteDialect(connection) });
  t.after(() => database.destroy());
  await database.transaction().execute(makeFirstTables);
  connection.exec(`
    insert into accounts values (1, 'Ada', 'ada', 'hash', '${TIME}');
    insert into sessions values ('key', 1, '${TIME}', '${TIME}', 0);
    insert into items values (1, 'Drill', '', 2, '', '${TIME}', 1, '${TIME}', 1, 1);
    insert into items values (2, 'Saw', 'old', 0, 'Wall', '${TIME}', null, '${TIME}', null, 3);
    insert into item_tags values (1, 0, 'tools'), (1, 1, 'red'), (2, 0, 'tools');
    insert into receipts values (1, 'once', 'digest', '1', '${TIME}');
    insert into counters values ('items', 2);
  `);
  return {
    migrate: () => database.transaction().execute(addAccountsAndSessions),
    run: (sql: string) => connection.exec(sql),
    rows: (sql: string) =>
      connection
        .prepare(sql)
        .all()
        .map((row) => ({ ...row })),
  };
}

test('items and tags are unchanged after the migration that adds checks', async (t) => {
  const { migrate, rows } = await openFirstVersion(t);
  const items = rows('select * from items order by number');
  const tags = rows('select * from item_tags order by item_number, position');
  await migrate();
  assert.deepEqual(rows('select * from items order by number'), items);
  assert.deepEqual(rows('select * from item_tags order by item_number, position'), tags);
  assert.equal(tags.length, 3);
});

test('a tag still needs its item, and is deleted with it', async (t) => {
  const { migrate, run, rows } = await openFirstVersion(t);
  await migrate();
  assert.throws(() => run("insert into item_tags values (9, 0, 'x')"), /FOREIGN KEY/);
  run('delete from items where number = 1');
  assert.deepEqual(rows('select tag from item_tags'), [{ tag: 'tools' }]);
});

test('an existing session stays valid, and a receipt redirects to its item', async (t) => {
  const { migrate, rows } = await openFirstVersion(t);
  await migrate();
  const [session] = rows('select * from sessions');
  assert.deepEqual(session, {
    key: 'key',
    account_id: 1,
    started_at: TIME,
    seen_at: TIME,
    remembered: 0,
    agent: '',
    address: '',
    flashes: '',
    draft: '',
    ends_at: '9999-12-31T23:59:59.999Z',
  });
  assert.deepEqual(rows('select owner, path from receipts'), [{ owner: 1, path: '/items/1' }]);
});
