/**
 * The migrations to large lists on a database that the versions before it have filled. They hold the search words and
 * the keys of their time, so a change of these in the code needs a migration that writes them anew.
 */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { createItemList } from '../items/item-list.ts';
import { ALL_ITEMS, type ItemQuery } from '../items/item-query.ts';
import { matchWords } from '../items/item-search.ts';
import { createSqliteDialect } from '../testing/create-sqlite-dialect.ts';
import { ENGINES } from '../testing/open-test-database.ts';
import { createBarePostgresDatabase } from '../testing/postgres/cluster.ts';
import type { Database } from './kysely.ts';
import { up as makeFirstTables } from './migrations/0001-first-tables.ts';
import { up as addAccountsAndSessions } from './migrations/0002-accounts-and-sessions.ts';
import { up as prepareLargeLists } from './migrations/0005-large-lists.ts';
import { MIGRATIONS } from './migrations/list.ts';
import type { Schema } from './schema.ts';
import { createStatements } from './statement.ts';

const GIVEN = 2_503;
/** One here and there, a whole thousand, and the last. */
const isGone = (number: number) =>
  number === 1 || number === 777 || (number > 1_000 && number <= 2_000) || number >= 2_502;

async function openSecondVersion(t: TestContext, engine: Database['engine']) {
  const database = await openEmpty(t, engine);
  await database.transaction().execute(makeFirstTables);
  await database.transaction().execute(addAccountsAndSessions);
  return { database, migrate: () => database.transaction().execute(prepareLargeLists) };
}

async function openEmpty(t: TestContext, engine: Database['engine']): Promise<Kysely<unknown>> {
  if (engine === 'sqlite') {
    const dialect = createSqliteDialect(
      new DatabaseSync(':memory:', { enableForeignKeyConstraints: true }),
    );
    const database = new Kysely<unknown>({ dialect });
    t.after(() => database.destroy());
    return database;
  }
  const { url, drop } = await createBarePostgresDatabase();
  const getTypeParser: typeof pg.types.getTypeParser = (oid: number, ...rest: unknown[]) =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, ...(rest as ['text']));
  const pool = new pg.Pool({ connectionString: url, max: 1, types: { getTypeParser } });
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  t.after(async () => {
    await database.destroy();
    await drop();
  });
  return database;
}

async function fill(database: Kysely<unknown>): Promise<void> {
  await sql`insert into counters values ('items', ${GIVEN})`.execute(database);
  for (let number = 1; number <= GIVEN; number++) {
    if (isGone(number)) continue;
    await sql`insert into items values (${number}, ${`Thing ${number}`}, 'old', 1, 'Cellar',
      '2026', null, '2026', null, 1)`.execute(database);
  }
  await sql`insert into item_tags values (2, 0, 'Worn'), (2, 1, 'Straße Ä'), (2501, 0, 'tools')`.execute(
    database,
  );
  await sql`update items set location = 'Büro, Cellar' where number = 3`.execute(database);
}

for (const { engine, name, skip } of ENGINES) {
  test(`existing items are counted, paged and found by search (${name})`, {
    skip,
  }, async (t) => {
    const { database, migrate } = await openSecondVersion(t, engine);
    await fill(database);
    await migrate();
    // The list of today reads columns, tables and indexes of later migrations.
    for (const load of Object.values(MIGRATIONS).slice(4))
      await database.transaction().execute((await load()).up);
    const read = database as Kysely<Schema>;
    const statement = createStatements(read, {
      run: async (text, values) => {
        const { rows } = await read.executeQuery(CompiledQuery.raw(text, [...(values ?? [])]));
        return { rows: rows as never, changes: 0 };
      },
    });
    const listItems = createItemList({ read, slowRead: read, statement });
    const list = (page: number, query: Partial<ItemQuery> = {}) =>
      listItems(page, { ...ALL_ITEMS, ...query });
    const numbers = Array.from({ length: GIVEN }, (_, index) => GIVEN - index).filter(
      (number) => !isGone(number),
    );
    const seen: number[] = [];
    for (let page = 1; page <= Math.ceil(numbers.length / 20); page++) {
      const listed = await list(page);
      assert.equal(listed.itemCount, numbers.length);
      seen.push(...listed.items.map(({ number }) => number));
    }
    assert.deepEqual(seen, numbers);
    const found = async (query: Partial<ItemQuery>) =>
      (await list(1, query)).items.map(({ number }) => number);
    assert.deepEqual(await found({ search: 'worn' }), [2]);
    assert.deepEqual(await found({ search: 'STRASSE' }), [2]);
    assert.deepEqual(await found({ search: 'tools thing' }), [2501]);
    assert.deepEqual(await found({ tag: 'strasse ä' }), [2]);
    assert.deepEqual(await found({ location: 'BÜRO' }), [3]);
    const { rows } = await sql<{ count: number }>`select count(*) as count
      from (${matchWords(read, ['OLD', 'CELLAR'])}) as found`.execute(read);
    assert.equal(rows[0]?.count, numbers.length);
    await sql`delete from items where number = 2501`.execute(database);
    assert.equal((await list(1)).itemCount, numbers.length - 1);
    assert.deepEqual(await found({ search: 'tools' }), []);
  });

  test(`an empty database needs no index of existing items (${name})`, { skip }, async (t) => {
    const { database, migrate } = await openSecondVersion(t, engine);
    await migrate();
    assert.deepEqual((await sql`select * from item_gaps`.execute(database)).rows, []);
  });
}
