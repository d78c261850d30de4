/**
 * Makes SQLite keep the words of deleted items in the search index until new words are merged with them. By default it
 * rewrites a part of the index as soon as a tenth of it is deleted. While an import of 100,000 rows was undone, one such
 * statement stopped all requests for up to 4 s.
 */
import { type Kysely, sql } from 'kysely';
import { isSqlite } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  if (!isSqlite(database)) return;
  await sql`insert into item_words (item_words, rank) values ('deletemerge', 0)`.execute(database);
}
