/** The log of the definitions of kinds and fields: who changed what, when, and what each change can be undone to. */
import { type Kysely, sql } from 'kysely';
import { columnTypes, runAll } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(database);
  await runAll(database, [
    sql`create table field_changes (
      id ${integer} primary key,
      at ${text} not null,
      account_id ${integer} references accounts (id),
      kind ${text} not null,
      about ${text} not null,
      batch ${integer},
      undoes ${integer})`,
    sql`create index field_changes_by_undo on field_changes (undoes)`,
  ]);
}
