/**
 * Removes copies of removed values from everything beside the history: the words of batches, the filters of counts,
 * messages and drafts in sessions, imports, and the addresses in receipts. Short texts are not searched, because they
 * are also part of many other texts.
 */
import { type RawBuilder, sql } from 'kysely';
import { isSqlite, type KyselyTransaction } from '../../database/kysely.ts';
import { hasTable } from '../../database/migrate.ts';
import { isKeyInside } from '../facets.ts';
import { forgetWords } from '../item-vocabulary.ts';
import { piecesOf } from '../pieces.ts';

/** Texts with fewer characters are not searched. */
const MIN_SOUGHT = 4;
/** Characters of a text that are searched: the preview of an import has only the beginning of a long text. */
const MAX_SOUGHT = 300;
/** Texts in a statement. */
const TEXTS = 50;

/** Removes the words of each batch of which no event has a value any more. */
export async function clearEmptyBatches(
  transaction: KyselyTransaction,
  batches: ReadonlySet<number>,
): Promise<void> {
  const empty: number[] = [];
  for (const batch of batches) {
    const full = await transaction
      .selectFrom('item_events')
      .select('id')
      .where('batch', '=', String(batch))
      .where((row) => row.or([row('item_name', '<>', ''), row('changes', '<>', '{}')]))
      .limit(1)
      .executeTakeFirst();
    if (full === undefined) empty.push(batch);
  }
  await clearBatches(transaction, empty);
}

/** Removes the words of the batches: their locations and tags, and the names of imported files. */
export async function clearBatches(
  transaction: KyselyTransaction,
  batches: readonly number[],
): Promise<void> {
  if (batches.length === 0) return;
  await transaction
    .updateTable('batches')
    .set({ about: '{}' })
    .where('id', 'in', batches)
    .where('kind', '<>', 'undone')
    .execute();
}

/** `number` is the item that had the texts. */
export async function removeCopies(
  transaction: KyselyTransaction,
  number: number,
  texts: readonly string[],
): Promise<void> {
  const beginnings = texts.map((text) => Array.from(text).slice(0, MAX_SOUGHT).join(''));
  const sought = [...new Set(beginnings)].filter((text) => text.length >= MIN_SOUGHT);
  for (const piece of piecesOf(sought, TEXTS)) await removeFromTables(transaction, number, piece);
  await forgetWords(transaction, texts);
}

async function removeFromTables(
  transaction: KyselyTransaction,
  number: number,
  texts: readonly string[],
): Promise<void> {
  const contains = isSqlite(transaction) ? sql`instr` : sql`strpos`;
  const hasOne = (column: string, needles: readonly string[]): RawBuilder<boolean> =>
    sql`(${sql.join(
      needles.map((needle) => sql`${contains}(${sql.ref(column)}, ${needle}) > 0`),
      sql` or `,
    )})`;
  /** The texts as JSON contains them. */
  const quoted = texts.map((text) => JSON.stringify(text).slice(1, -1));
  await transaction
    .updateTable('sessions')
    .set({ flashes: '' })
    .where('flashes', '<>', '')
    .where(hasOne('flashes', quoted))
    .execute();
  // A draft of another form is what its author typed, and not the value of this item. That of a count has names.
  const forms = [`/items/${number}/`, '/items/count'].map((path) => `"action":"${path}`);
  await transaction
    .updateTable('sessions')
    .set({ draft: '' })
    .where('draft', '<>', '')
    .where(hasOne('draft', forms))
    .where(hasOne('draft', quoted))
    .execute();
  // Where such a draft waits for a way to log in that leads over other pages; the framework makes its table.
  if (await hasTable(transaction, 'seeother_values'))
    await sql`delete from seeother_values where key like 'draft:%' and ${hasOne('value', forms)}
      and ${hasOne('value', quoted)}`.execute(transaction);
  const pieces = transaction
    .selectFrom('import_pieces')
    .select('import_id')
    .where(hasOne('work', quoted));
  const rows = transaction
    .selectFrom('import_rows')
    .select('import_id')
    .where(hasOne('rows', quoted));
  const refusals = transaction
    .selectFrom('import_refusals')
    .select('import_id')
    .where(hasOne('rows', quoted));
  const photos = transaction
    .selectFrom('import_photos')
    .select('import_id')
    .where((row) => row.or([hasOne('path', texts), hasOne('name', texts)]));
  await transaction
    .deleteFrom('imports')
    .where('state', '<>', 'importing')
    .where((row) =>
      row.or([
        ...['columns', 'preview', 'refusals', 'photos'].map((column) => hasOne(column, quoted)),
        ...[pieces, rows, refusals, photos].map((found) => row('id', 'in', found)),
      ]),
    )
    .execute();
  // An import that runs needs only the pieces.
  for (const table of ['import_rows', 'import_refusals'] as const)
    await transaction.deleteFrom(table).where(hasOne('rows', quoted)).execute();
  // Nothing shows the preview of an import that runs.
  await transaction
    .updateTable('imports')
    .set({ preview: '{}' })
    .where('state', '=', 'importing')
    .where(hasOne('preview', quoted))
    .execute();
  // A place that other items still have stays the name of what was counted.
  const hasItems = sql<boolean>`exists (select 1 from item_facets facet where facet.field = counts.field
    and (facet.key = counts.key or ${isKeyInside(sql`facet.key`, sql`counts.key`)}))`;
  await transaction
    .updateTable('counts')
    .set({ about: null, field: null, key: null })
    .where(hasOne('about', quoted))
    .where((row) => row.not(hasItems))
    .execute();
  const inAddress = texts.map((text) => new URLSearchParams([['', text]]).toString().slice(1));
  const withoutQuery = isSqlite(transaction)
    ? sql<string>`substr(path, 1, instr(path, '?') - 1)`
    : sql<string>`split_part(path, '?', 1)`;
  await transaction
    .updateTable('receipts')
    .set({ path: withoutQuery })
    .where('path', 'like', '%?%')
    .where(hasOne('path', inAddress))
    .execute();
}
