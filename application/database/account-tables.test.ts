/** The migrations make the tables of accounts as `createAccounts` of the framework would: it uses them as its own. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { accountStatements } from 'seeother/accounts';
import type { Connection } from 'seeother/database';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { ENGINES, openTestDatabase } from '../testing/open-test-database.ts';
import type { Database } from './kysely.ts';

const COLUMNS = {
  sqlite: `select name, type, "notnull" = 1 or pk > 0 as required from pragma_table_info(?) order by name`,
  postgres: `select column_name as name, data_type as type, is_nullable = 'NO' as required
    from information_schema.columns where table_name = ? order by 1`,
};
/** What is unique, what is indexed, and what is deleted with what. */
const RULES = {
  sqlite: `select iif("unique", 'unique', 'indexed') || ': ' || (select group_concat(name, ', ')
      from pragma_index_info(list.name)) as rule from pragma_index_list(?) as list
    union all select "from" || ' of ' || "table" || ' ' || on_delete from pragma_foreign_key_list(?)
    order by 1`,
  postgres: `select kind || ': ' || substring(indexdef from '[(](.*)[)]') as rule
      from (select indexdef, case when indexdef like '%UNIQUE%' then 'unique' else 'indexed' end as kind
        from pg_indexes where tablename = ?) as list
    union all select pg_get_constraintdef(oid) from pg_constraint
      where contype = 'f' and conrelid = to_regclass(?)
    order by 1`,
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly required: unknown;
}

async function readTable({ run }: Connection, engine: Database['engine'], table: string) {
  const { rows } = await run<{ readonly rule: string }>(RULES[engine], [table, table]);
  const columns = (await run<Column>(COLUMNS[engine], [table])).rows;
  return {
    columns: columns.map((column) => ({ ...column })),
    rules: rows.map(({ rule }) => rule.replace('seeother_accounts', 'accounts')),
  };
}

for (const { engine, name, skip } of ENGINES)
  test(`the tables of accounts are those of the framework on ${name}`, { skip }, async (t) => {
    const migrated = (await openTestDatabase(t, engine)).door.read;
    const bare = await (await createBareDatabase(t, engine)).open();
    await bare.write(async ({ run }) => {
      for (const statement of accountStatements(engine)) await run(statement);
    });
    const names = accountStatements(engine, { accounts: 'accounts', sessions: 'sessions' }).flatMap(
      (statement) => /^create table if not exists (\w+)/.exec(statement)?.[1] ?? [],
    );
    assert.ok(names.length >= 4, names.join());
    for (const table of names) {
      const expected = await readTable(bare.read, engine, table);
      assert.ok(expected.columns.length > 3 && expected.rules.length > 1, table);
      assert.deepEqual(await readTable(migrated, engine, table), expected, table);
    }
    const expected = await readTable(bare.read, engine, 'seeother_accounts');
    const found = await readTable(migrated, engine, 'accounts');
    for (const column of expected.columns)
      assert.deepEqual(
        found.columns.find((one) => one.name === column.name),
        column,
      );
    for (const rule of expected.rules) assert.ok(found.rules.includes(rule), rule);
  });
