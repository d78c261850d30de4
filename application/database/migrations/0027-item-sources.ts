/**
 * Adds by what later files know the items: a reference belongs to a kind of file, and a row without one is recognized
 * after its item was moved or renamed. References from before belong to no kind: they count for any.
 *
 * An older release beside this one goes on with the table of references. It does not know those that this one writes,
 * and this one does not know those that it writes from now on: both look for the name and the location then.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { columnTypes } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  const { integer, text } = columnTypes(database);
  await schema
    .createTable('item_sources')
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('item_number', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('item_sources_pk', ['source', 'kind', 'item_number'])
    .execute();
  await schema
    .createIndex('item_sources_by_item')
    .on('item_sources')
    .column('item_number')
    .execute();
  await sql`insert into item_sources (source, kind, item_number)
    select reference, '', item_number from item_references`.execute(database);
  for (const name of ['rows_to_ask', 'rows_left_out'])
    await schema
      .alterTable('imports')
      .addColumn(name, integer, (column) => column.notNull().defaultTo(0))
      .execute();
  await schema
    .alterTable('imports')
    .addColumn('asked', text, (column) => column.notNull().defaultTo('leave'))
    .execute();
  // Few names have other spaces than single ones, so few items are in the index.
  const plain = toPlain(sql.ref('name'));
  await sql`create index items_by_plain_name on items (${plain}) where ${plain} <> lower(name)`.execute(
    database,
  );
}

/** As in imports/same-text.ts. */
const REPLACED = [
  ['\u00ad', ''],
  ['\u200b', ''],
  ['\u00a0', ' '],
  ['\u202f', ' '],
  ['\u2009', ' '],
  ['  ', ' '],
  ['  ', ' '],
] as const;

function toPlain(column: RawBuilder<unknown>): RawBuilder<unknown> {
  const replaced = REPLACED.reduce(
    (text, [from, to]) => sql`replace(${text}, ${sql.lit(from)}, ${sql.lit(to)})`,
    column,
  );
  return sql`lower(${replaced})`;
}
