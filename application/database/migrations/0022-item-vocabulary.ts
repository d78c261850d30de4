/**
 * Prepares the search inside words: the table of the different words of all items, and for each item the version whose
 * words it has (items/item-vocabulary.ts, items/index-items.ts). Existing items have version 0: they are indexed in the
 * background, because a million of them takes minutes. So are items that an older release writes.
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes, isSqlite } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const { integer } = columnTypes(database);
  await createVocabulary(database);
  await database.schema
    .alterTable('items')
    .addColumn('words_version', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  // It is empty once all items are indexed.
  await sql`create index items_to_index on items (number) where words_version <> version`.execute(
    database,
  );
}

/** The trigrams are those of a word without its first letter: a search inside words is for the rest. */
async function createVocabulary(database: Kysely<unknown>): Promise<void> {
  if (isSqlite(database)) {
    await sql`create table item_vocabulary (id integer primary key, word text not null unique)`.execute(
      database,
    );
    await sql`create virtual table "item_trigrams" using fts5(word,
      tokenize = 'trigram case_sensitive 1', content = '', contentless_delete = 1, detail = none)`.execute(
      database,
    );
    return;
  }
  await sql`create table item_vocabulary
    (word text collate "C" primary key, trigrams text[] not null)`.execute(database);
  await sql`create index on item_vocabulary using gin (trigrams) with (fastupdate = off)`.execute(
    database,
  );
}
