/**
 * Names sorted by language and number, and a search that lists the best first. Both need text that only the application
 * makes, so the items get it after the migration: see items/item-search.ts. Until then an item has no `name_key`.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes, isSqlite, runAll } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { text } = columnTypes(database);
  await runAll(database, [
    sql`alter table items add column name_key ${text}`,
    sql`create index items_by_name_key on items (name_key, number)`,
    sql`create index items_without_key on items (number) where name_key is null`,
    sql`drop index items_by_name`,
  ]);
  if (!isSqlite(database)) return;
  // A word has a mark before it where it tells the rank, so the prefixes are longer by one.
  await runAll(database, [
    sql`drop table item_words`,
    sql`create virtual table item_words using fts5(words, tokenize = 'ascii',
      prefix = '1 2 3 4 5 6 7 8 9', content = '', contentless_delete = 1, detail = none)`,
    sql`insert into item_words (item_words, rank) values ('deletemerge', 0)`,
  ]);
}
