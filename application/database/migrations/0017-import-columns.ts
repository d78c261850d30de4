/**
 * Adds what imports of any table need: the rows of the file until the import is deleted, the rows that were refused,
 * the fields that columns were given, the files that were imported, and the items that references stand for.
 *
 * An older release sees the states of such imports as unknown ones, and runs none of them.
 */
import type { Kysely } from 'kysely';
import { columnTypes } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  const { integer, text } = columnTypes(database);
  const counts = ['plan', 'plans', 'rows_here', 'rows_doubled'];
  for (const name of counts)
    await schema
      .alterTable('imports')
      .addColumn(name, integer, (column) => column.notNull().defaultTo(0))
      .execute();
  for (const [name, value] of [
    ['columns', ''],
    ['here', 'leave'],
  ] as const)
    await schema
      .alterTable('imports')
      .addColumn(name, text, (column) => column.notNull().defaultTo(value))
      .execute();
  for (const name of ['import_rows', 'import_refusals'])
    await schema
      .createTable(name)
      .addColumn('import_id', integer, (column) =>
        column.notNull().references('imports.id').onDelete('cascade'),
      )
      .addColumn('position', integer, (column) => column.notNull())
      .addColumn('rows', text, (column) => column.notNull())
      .addPrimaryKeyConstraint(`${name}_pk`, ['import_id', 'position'])
      .execute();
  await schema
    .createTable('import_columns')
    .addColumn('headings', text, (column) => column.primaryKey())
    .addColumn('uses', text, (column) => column.notNull())
    .execute();
  await schema
    .createTable('imported_files')
    .addColumn('hash', text, (column) => column.primaryKey())
    .addColumn('batch', integer, (column) => column.notNull())
    .execute();
  await schema
    .createTable('item_references')
    .addColumn('reference', text, (column) => column.primaryKey())
    .addColumn('item_number', integer, (column) => column.notNull())
    .execute();
  await schema
    .createIndex('item_references_by_item')
    .on('item_references')
    .column('item_number')
    .execute();
}
