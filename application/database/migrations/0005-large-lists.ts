/**
 * Prepares lists of a million items: indexes for each sort order and for the location, a full-text
 * index, and a table of deleted item numbers, so that items are counted without reading them.
 *
 * During a rolling update, an older release adds items beside the new one. It deletes none, so the
 * table stays correct. Its items are indexed when the new release adds the next item
 * (item-search.ts).
 */
import { type Kysely, sql } from 'kysely';
import { columnTypes, createPostgresTrigger, isSqlite } from './migration-sql.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  await createWordTable(database);
  await indexWords(database as Kysely<Items>);
  await recordGaps(database);
  await forgetDeletedItems(database);
  // Last, because from here to the end of the migration an older release cannot add items.
  await indexItems(database);
  await countFilledTables(database);
}

/** The words of items: `rowid` is the number of the item, and spaces part the `words`. */
async function createWordTable(database: Kysely<unknown>): Promise<void> {
  if (isSqlite(database)) {
    await sql`create virtual table "item_words" using fts5(words, tokenize = 'ascii',
      prefix = '1 2 3 4 5 6 7 8', content = '', contentless_delete = 1, detail = none)`.execute(
      database,
    );
    return;
  }
  await sql`create table item_words
    (rowid bigint primary key, words tsvector not null)`.execute(database);
  await sql`create index on item_words using gin (words) with (fastupdate = off)`.execute(database);
}

interface Items {
  readonly items: {
    readonly number: number;
    readonly name: string;
    readonly description: string;
    readonly location: string;
  };
  readonly item_tags: {
    readonly item_number: number;
    readonly position: number;
    readonly tag: string;
  };
  readonly item_words: { readonly rowid: number; readonly words: string };
}

const BATCH = 500;

async function indexWords(database: Kysely<Items>): Promise<void> {
  for (let last: number | undefined = 0; last !== undefined; ) {
    const items = await database
      .selectFrom('items')
      .select(['number', 'name', 'description', 'location'])
      .where('number', '>', last)
      .orderBy('number')
      .limit(BATCH)
      .execute();
    last = items.at(-1)?.number;
    if (last === undefined) return;
    const numbers = items.map(({ number }) => number);
    const tags = await database
      .selectFrom('item_tags')
      .select(['item_number', 'tag'])
      .where('item_number', 'in', numbers)
      .orderBy('item_number')
      .orderBy('position')
      .execute();
    const tagsOf = Map.groupBy(tags, (row) => row.item_number);
    const words = items.map(({ number, name, description, location }) => {
      const own = (tagsOf.get(number) ?? []).map(({ tag }) => tag);
      return { rowid: number, words: toWords([name, description, location, ...own].join(' ')) };
    });
    await database.insertInto('item_words').values(words).execute();
  }
}

const MARKS = /\p{M}/gu;

/** Runs of letters and digits, each once, without accents and in one case: as the search split text then. */
function toWords(text: string): string {
  // Removes combining marks first: normalizing sorts the marks of one letter in quadratic time.
  const bare = text.replaceAll(MARKS, '').normalize('NFKD').replaceAll(MARKS, '');
  const words = bare.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => [...word].slice(0, 60).join('')))].join(' ');
}

/** One row for each thousand numbers with deleted items. */
async function recordGaps(database: Kysely<unknown>): Promise<void> {
  const { integer } = columnTypes(database);
  await database.schema
    .createTable('item_gaps')
    .addColumn('block', integer, (column) => column.primaryKey())
    .addColumn('gone', integer, (column) => column.notNull())
    .execute();
  await sql`insert into item_gaps
    with recursive blocks (block, given) as (
      select 0, value from counters where name = 'items'
      union all
      select block + 1, given from blocks where (block + 1) * 1000 < given
    ), present (block, items) as (
      select (number - 1) / 1000, count(*) from items group by 1
    ), gaps (block, gone) as (
      select blocks.block,
        case when given < (blocks.block + 1) * 1000 then given - blocks.block * 1000 else 1000 end
        - coalesce(items, 0)
      from blocks left join present on present.block = blocks.block
    )
    select block, gone from gaps where gone > 0`.execute(database);
}

async function forgetDeletedItems(database: Kysely<unknown>): Promise<void> {
  const forget = sql`delete from item_words where rowid = old.number;
    insert into item_gaps (block, gone) values ((old.number - 1) / 1000, 1)
      on conflict (block) do update set gone = item_gaps.gone + 1`;
  if (isSqlite(database))
    await sql`create trigger "forget_item" after delete on "items"
      begin ${forget}; end`.execute(database);
  else {
    const when = sql`after delete on items for each row`;
    await createPostgresTrigger(database, 'forget_item', when, sql`${forget};`);
  }
}

async function indexItems(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  // In both engines, lower() changes only ASCII letters here: they compare text byte by byte.
  await sql`create index items_by_name on items (lower(name), number)`.execute(database);
  for (const column of ['quantity', 'updated_at', 'location']) {
    await schema
      .createIndex(`items_by_${column}`)
      .on('items')
      .columns([column, 'number'])
      .execute();
  }
}

/**
 * PostgreSQL updates its statistics by itself only a minute later. Skips empty tables: the planner's default
 * estimate is better than statistics of an empty table.
 */
async function countFilledTables(database: Kysely<unknown>): Promise<void> {
  if (isSqlite(database)) return;
  const { rows } = await sql`select 1 from items limit 1`.execute(database);
  if (rows.length === 0) return;
  for (const table of ['items', 'item_tags', 'item_words'])
    await sql`analyze ${sql.table(table)}`.execute(database);
}
