/** For migrations: the types of columns, and the triggers of PostgreSQL. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isSqlite } from './kysely.ts';

/**
 * `integer` is a whole number up to 2^53: in SQLite only "integer" makes a primary key the address of its row.
 * `text` is compared and sorted by bytes, whatever the language of the server.
 */
export function columnTypes(database: Kysely<unknown>) {
  return isSqlite(database)
    ? ({ integer: 'integer', text: 'text' } as const)
    : ({ integer: 'bigint', text: sql`text collate "C"` } as const);
}

/** In PostgreSQL a trigger runs a function, which has its name here. */
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
