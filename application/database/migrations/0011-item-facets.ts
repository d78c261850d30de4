/**
 * Adds the locations and tags with the numbers of their items, for filters and suggestions. Triggers count,
 * so items that an older release writes during a rolling update count too; it does not write the keys of
 * names with other letters than ASCII, which the next write of such a name does.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes, createPostgresTrigger, isSqlite } from './migration-sql.ts';

const SOURCES = [
  { field: 'location', table: 'items', column: 'location' },
  { field: 'tag', table: 'item_tags', column: 'tag' },
] as const;

export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await database.schema
    .createTable('item_facets')
    .addColumn('field', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('items', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('item_facets_key', ['field', 'name'])
    .execute();
  await database.schema
    .createIndex('item_facets_by_key')
    .on('item_facets')
    .columns(['field', 'key', 'name'])
    .execute();
  for (const { field, table, column } of SOURCES) {
    await (isSqlite(database) ? countOnSqlite : countOnPostgres)(database, field, table, column);
    const name = sql.ref(column);
    await sql`insert into item_facets (field, name, key, items)
      select ${sql.lit(field)}, ${name}, upper(${name}), count(*) from ${sql.table(table)}
      where ${name} <> '' group by ${name}`.execute(database);
    await writeKeys(database as Kysely<Facets>, field);
  }
}

interface Facets {
  readonly item_facets: { readonly field: string; readonly name: string; readonly key: string };
}

const BATCH = 500;
const NOT_ASCII = /[^\0-\x7f]/;
const HEAP_OF_MARKS = /\p{M}{31}/u;

/** The engines know the case of ASCII letters only. */
async function writeKeys(database: Kysely<Facets>, field: string): Promise<void> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const rows = await database
      .selectFrom('item_facets')
      .select('name')
      .where('field', '=', field)
      .where('name', '>', last)
      .orderBy('name')
      .limit(BATCH)
      .execute();
    for (const { name } of rows.filter((one) => NOT_ASCII.test(one.name))) {
      const upper = name.toUpperCase();
      // NFC sorts the marks of one letter in quadratic time.
      const key = HEAP_OF_MARKS.test(upper) ? upper : upper.normalize('NFC');
      await database
        .updateTable('item_facets')
        .set({ key })
        .where('field', '=', field)
        .where('name', '=', name)
        .execute();
    }
    last = rows.at(-1)?.name;
  }
}

/** Counts the rows of the table that have each text in the column, under the name of the field. */
async function countOnSqlite(
  database: Kysely<unknown>,
  field: string,
  table: string,
  column: string,
): Promise<void> {
  const [added, gone] = [`new.${column}`, `old.${column}`];
  const count = `insert into item_facets (field, name, key, items)
    select '${field}', ${added}, upper(${added}), 1 where ${added} <> ''
    on conflict (field, name) do update set items = items + 1;`;
  const forget = `update item_facets set items = items - 1
    where field = '${field}' and name = ${gone};
    delete from item_facets where field = '${field}' and name = ${gone} and items <= 0;`;
  const events = {
    insert: { when: `${added} <> ''`, does: count },
    delete: { when: `${gone} <> ''`, does: forget },
    [`update of ${column}`]: { when: `${gone} <> ${added}`, does: count + forget },
  };
  for (const [event, { when, does }] of Object.entries(events)) {
    const name = `count_${field}_after_${event.replaceAll(' ', '_')}`;
    await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} on ${sql.table(table)}
      when ${sql.raw(when)} begin ${sql.raw(does)} end`.execute(database);
  }
}

/**
 * The triggers run after those of the table that write the edition, whose one row all writers wait for: so no
 * two of them wait for each other's counts.
 */
async function countOnPostgres(
  database: Kysely<unknown>,
  field: string,
  table: string,
  column: string,
): Promise<void> {
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
    await createPostgresTrigger(database, `count_${field}_after_${event}`, when, sql.raw(does));
  }
}
