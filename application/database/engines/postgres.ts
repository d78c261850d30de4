/** SQL of PostgreSQL. */
import { type RawBuilder, sql } from 'kysely';
import type { Engine, Queryable } from './engine.ts';

/** Before the number of a lock, so that other programs in the same database have other locks. */
const LOCK_GROUP = 5_334_303;
const LOCKS = { accounts: 1, tries: 2, samples: 3 };

export const POSTGRES: Engine = {
  name: 'postgres',
  async lockRows<Value extends number | string>(
    transaction: Queryable,
    table: string,
    column: string,
    values: readonly Value[],
  ) {
    if (values.length === 0) return [];
    const { rows } = await sql<{ value: Value }>`select ${sql.ref(column)} as value
      from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(values)})
      order by ${sql.ref(column)} for no key update`.execute(transaction);
    return rows.map(({ value }) => value);
  },
  async lockFor(transaction, what) {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_GROUP)}, ${sql.lit(LOCKS[what])})`.execute(
      transaction,
    );
  },
  async lockTables(transaction, names) {
    const tables = sql.join(names.map((name) => sql.table(name)));
    await sql`lock table ${tables} in exclusive mode`.execute(transaction);
  },
  async allowPauses(transaction) {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
  },
  async hasTable(database, name) {
    const query = sql`select 1 where to_regclass(${name}) is not null`;
    return (await query.execute(database)).rows.length > 0;
  },
  integerType: 'bigint',
  textType: sql`text collate "C"`,
  randomName: sql`gen_random_uuid()::text`,
  async dropKey(database, table, constraint) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(constraint)}`.execute(
      database,
    );
  },
  async afterEveryChange(database, table, events, statement) {
    const when = sql`after ${sql.raw(events.join(' or '))} on ${sql.table(table)} for each statement`;
    await createTrigger(database, `after_change_of_${table}`, when, sql`${statement};`);
  },
  async afterDelete(database, table, name, statement) {
    const when = sql`after delete on ${sql.table(table)} for each row`;
    await createTrigger(database, name, when, sql.raw(`${statement};`));
  },
  async countFacets(database, field, table, column) {
    const from = (rows: string, count: number) =>
      `select ${column} collate "C" as name, ${count} as count from ${rows}`;
    const forget = `delete from item_facets where field = '${field}' and items <= 0
      and name in (select ${column} from old_rows);`;
    const count = (rows: readonly string[]) => `insert into item_facets (field, name, key, items)
      select '${field}', name, upper(name), sum(count) from (${rows.join(' union all ')}) as counted
      where name <> '' group by name having sum(count) <> 0 order by name
      on conflict (field, name) do update set items = item_facets.items + excluded.items;`;
    const [added, gone] = [from('new_rows', 1), from('old_rows', -1)];
    const events = {
      insert: { rows: 'new table as new_rows', does: count([added]) },
      delete: { rows: 'old table as old_rows', does: count([gone]) + forget },
      update: {
        rows: 'old table as old_rows new table as new_rows',
        does: count([added, gone]) + forget,
      },
    };
    for (const [event, { rows, does }] of Object.entries(events)) {
      // Triggers run in the order of their names: these come after "after_change_of_".
      const when = sql`after ${sql.raw(event)} on ${sql.table(table)}
        referencing ${sql.raw(rows)} for each statement`;
      await createTrigger(database, `count_${field}_after_${event}`, when, sql.raw(does));
    }
  },
  async switchFacets(transaction, sources, to) {
    for (const { field, table } of sources)
      await sql`alter table ${sql.table(table)} ${sql.raw(to)} trigger
        ${sql.ref(`count_${field}_after_insert`)}`.execute(transaction);
  },
  async createWordTable(database, table) {
    await sql`create table ${sql.table(table)}
      (rowid bigint primary key, words tsvector not null)`.execute(database);
    await sql`create index on ${sql.table(table)} using gin (words)
      with (fastupdate = off)`.execute(database);
  },
  addsWordsAtEnd: false,
  matchWords(table, beginnings) {
    const query = beginnings.map((word) => `${word}:*`).join(' & ');
    return sql`select rowid as number from ${sql.table(table)} where words @@ ${query}::tsquery`;
  },
  intersect(table, queries) {
    const [first] = queries;
    if (first !== undefined && queries.length === 1) return sql`${first}`;
    const conditions = queries.map((query) => sql`number in (${query})`);
    return sql`select number from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`;
  },
  stopsAtLimit: false,
  async analyze(database, tables) {
    for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(database);
  },
};

/** A trigger runs a function, which has its name here. */
async function createTrigger(
  database: Queryable,
  name: string,
  when: RawBuilder<unknown>,
  statements: RawBuilder<unknown>,
): Promise<void> {
  const trigger = sql.ref(name);
  await sql`create function ${trigger}() returns trigger language plpgsql
    as $$ begin ${statements} return null; end $$`.execute(database);
  await sql`create trigger ${trigger} ${when} execute function ${trigger}()`.execute(database);
}
