/** For migrations: the engine, the types of columns, and the triggers of PostgreSQL. */
import {
  type Kysely,
  type QueryExecutorProvider,
  type RawBuilder,
  SqliteAdapter,
  sql,
} from 'kysely';

export function isSqlite(database: QueryExecutorProvider): boolean {
  return database.getExecutor().adapter instanceof SqliteAdapter;
}

/**
 * `integer` is a whole number up to 2^53. In SQLite, only a primary key of type "integer" is the rowid. `text` is
 * compared and sorted by bytes, independent of the server's locale.
 */
export function columnTypes(database: Kysely<unknown>) {
  return isSqlite(database)
    ? { integer: sql`integer`, text: sql`text` }
    : { integer: sql`bigint`, text: sql`text collate "C"` };
}

export async function runAll(
  database: Kysely<unknown>,
  statements: readonly RawBuilder<unknown>[],
): Promise<void> {
  for (const statement of statements) await statement.execute(database);
}

/** A trigger of PostgreSQL runs a function, which gets the same name. */
export async function createPostgresTrigger(
  database: Kysely<unknown>,
  name: string,
  when: RawBuilder<unknown>,
  statements: RawBuilder<unknown>,
): Promise<void> {
  const trigger = sql.ref(name);
  await sql`create function ${trigger}() returns trigger language plpgsql
    as $$ begin ${statements} return null; end $$`.execute(database);
  await sql`create trigger ${trigger} ${when} execute function ${trigger}()`.execute(database);
}
