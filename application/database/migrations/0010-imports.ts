/**
 * Adds imports of files: what the preview showed, how far the import has come, and its rows in pieces. A
 * piece is deleted in the transaction that imports it, so each row is imported once.
 */
import type { Kysely } from 'kysely';
import { columnTypes } from './migration-sql.ts';

const COUNTS = [
  ...['rows_to_create', 'rows_to_change', 'rows_unchanged', 'rows_refused'],
  ...['rows_done', 'rows_created', 'rows_changed', 'rows_left'],
];

export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  const { integer, text } = columnTypes(database);
  let imports = schema
    .createTable('imports')
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'));
  for (const name of ['file_name', 'file_hash', 'plan_hash', 'state', 'problem'])
    imports = imports.addColumn(name, text, (column) => column.notNull());
  for (const name of ['created_at', 'updated_at', 'preview', 'refusals'])
    imports = imports.addColumn(name, text, (column) => column.notNull());
  for (const name of COUNTS)
    imports = imports.addColumn(name, integer, (column) => column.notNull().defaultTo(0));
  await imports
    .addColumn('batch', integer)
    .addColumn('holder', text)
    .addColumn('held_until', text)
    .execute();
  await schema
    .createTable('import_pieces')
    .addColumn('import_id', integer, (column) =>
      column.notNull().references('imports.id').onDelete('cascade'),
    )
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('work', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('import_pieces_pk', ['import_id', 'position'])
    .execute();
}
