/**
 * The record of each count: who counted which list, when, and what was found of each of its items. It stays as it is
 * when the quantities are corrected afterwards, or not; its lines say in which batch. The pages of a long list have one
 * record, and so has a form that is sent again with other numbers: the text of `form` is the same.
 */
import { type Kysely, type Selectable, sql } from 'kysely';
import { shownName } from '../accounts/display-name.ts';
import { nextNumber } from '../database/counter.ts';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';
import { type FacetField, toFacetKey } from './facets.ts';
import type { ItemQuery } from './item-query.ts';
import type { ChosenItems } from './ticked-numbers.ts';

type Filters = Partial<Pick<ChosenItems, 'search' | 'tag' | 'location' | 'show' | 'ticked'>> & {
  /** Whether the list had a filter by the kind or by a field of the team's own. */
  readonly others?: 'yes';
};

export interface CountRecord {
  readonly id: number;
  readonly at: Date;
  readonly by: string | null;
  /** The filters of the counted list; null if they were removed for ever. */
  readonly list: Filters | null;
  /** How many items have a line; and with less, with more than was stored. */
  readonly items: number;
  readonly missing: number;
  readonly surplus: number;
  /** How many items of the list have no number. */
  readonly uncounted: number;
}

export interface CountLine {
  readonly number: number;
  /** Empty if it was removed for ever. */
  readonly name: string;
  readonly expected: number;
  /** Null if no number was entered. */
  readonly found: number | null;
  /** The batch that has stored what was found. */
  readonly batch: number | null;
  /** Whether all of that batch was undone. */
  readonly isUndone: boolean;
}

interface ListedCounts {
  readonly limit: number;
  /** The id of a count. */
  readonly position: number | null;
  readonly isBackwards: boolean;
}

export interface CountRecords {
  /** Newest first; those after the position, or backwards, those before it, the nearest first. */
  readonly list: (place: ListedCounts) => Promise<readonly CountRecord[]>;
  readonly find: (id: number) => Promise<CountRecord | null>;
  /** In the order of the numbers. */
  readonly linesOf: (id: number) => Promise<readonly CountLine[]>;
  /** The last count of the place or tag; null if it was never counted. */
  readonly lastOf: (field: FacetField, name: string) => Promise<CountRecord | null>;
  /** The last counts of some names, by their keys. */
  readonly lastOfAll: (
    field: FacetField,
    names: readonly string[],
  ) => Promise<ReadonlyMap<string, CountRecord>>;
}

export function createCountRecords({
  read,
  statement,
}: Pick<Database, 'read' | 'statement'>): CountRecords {
  const find = statement(
    (source, { id }: Placeholders<{ readonly id: number }>) =>
      selectCounts(source).where('counts.id', '=', id),
    toRecord,
  );
  const last = statement(
    (source, { field, key }: Placeholders<{ readonly field: FacetField; readonly key: string }>) =>
      selectCounts(source)
        .where('field', '=', field)
        .where('key', '=', key)
        .orderBy('counts.id', 'desc')
        .limit(1),
    toRecord,
  );
  return {
    async list({ limit, position, isBackwards }) {
      const rows = await selectCounts(read)
        .$if(position !== null, (query) =>
          query.where('counts.id', isBackwards ? '>' : '<', position ?? 0),
        )
        .orderBy('counts.id', isBackwards ? 'asc' : 'desc')
        .limit(limit)
        .execute();
      return rows.map(toRecord);
    },
    find: async (id) => find.first({ id }),
    async linesOf(id) {
      const rows = await read
        .selectFrom('count_lines')
        .leftJoin('batches', 'batches.id', 'count_lines.batch')
        .selectAll('count_lines')
        .select(['events', 'undone'])
        .where('count_id', '=', id)
        .orderBy('item_number')
        .execute();
      return rows.map(({ item_number: number, name, expected, found, batch, events, undone }) => ({
        ...{ number, name, expected, found, batch },
        isUndone: batch !== null && undone === events,
      }));
    },
    lastOf: async (field, name) => last.first({ field, key: toFacetKey(name) }),
    async lastOfAll(field, names) {
      // PostgreSQL accepts no empty list.
      if (names.length === 0) return new Map();
      const newest = read
        .selectFrom('counts')
        .select(({ fn }) => fn.max('id').as('id'))
        .where('field', '=', field)
        .where('key', 'in', names.map(toFacetKey))
        .groupBy('key');
      const rows = await selectCounts(read).where('counts.id', 'in', newest).execute();
      return new Map(rows.map((row) => [row.key ?? '', toRecord(row)]));
    },
  };
}

function selectCounts(source: Kysely<Schema>) {
  return source
    .selectFrom('counts')
    .leftJoin('accounts', 'accounts.id', 'counts.account_id')
    .selectAll('counts')
    .select(shownName('accounts').as('by'));
}

type CountRow = Selectable<Schema['counts']> & { readonly by: string | null };

function toRecord({ id, at, by, about, listed, items, ...counts }: CountRow): CountRecord {
  const { missing, surplus, uncounted } = counts;
  return {
    ...{ id, at: new Date(at), by, items, missing, surplus },
    list: about === null ? null : JSON.parse(about),
    uncounted: uncounted + Math.max(0, listed - items),
  };
}

export interface CountedForm {
  readonly author: number;
  readonly form: string;
}

export interface CountedPage extends CountedForm {
  readonly list: ChosenItems;
  /** How many items the list has. */
  readonly listed: number;
  readonly lines: readonly Pick<CountLine, 'number' | 'expected' | 'found'>[];
}

/** Milliseconds for the pages of one count. After that, the same form begins another one. */
const COUNT_LIFE = 86_400_000;

/**
 * Records a page of a count, without the items that were deleted meanwhile. A line that is there already gets the new
 * number, unless it was corrected since.
 */
export async function recordCount(
  transaction: KyselyTransaction,
  { author, form, list, listed, lines }: CountedPage,
): Promise<void> {
  const begun = await findCount(transaction, { author, form });
  const id = begun ?? (await nextNumber(transaction, 'counts'));
  // Before the names and the lines, so that none is written after a removal for ever: both revise the pages first.
  if (begun === null) {
    const count = { id, at: new Date().toISOString(), account_id: author, form, listed };
    await transaction
      .insertInto('counts')
      .values({ ...count, ...describeList(list) })
      .execute();
  } else await transaction.updateTable('counts').set({ listed }).where('id', '=', id).execute();
  const items = await transaction
    .selectFrom('items')
    .select(['number', 'name'])
    .where(
      'number',
      'in',
      lines.map(({ number }) => number),
    )
    .execute();
  const names = new Map(items.map(({ number, name }) => [number, name]));
  const rows = lines.flatMap(({ number, expected, found }) => {
    const name = names.get(number);
    return name === undefined ? [] : [{ count_id: id, item_number: number, name, expected, found }];
  });
  if (rows.length === 0) return;
  await transaction
    .insertInto('count_lines')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['count_id', 'item_number'])
        .doUpdateSet(({ ref }) => ({
          expected: ref('excluded.expected'),
          found: ref('excluded.found'),
        }))
        .where('count_lines.batch', 'is', null),
    )
    .execute();
  await sql`update counts set (items, missing, surplus, uncounted) =
    (select count(*), coalesce(sum(case when found < expected then 1 end), 0),
      coalesce(sum(case when found > expected then 1 end), 0),
      coalesce(sum(case when found is null then 1 end), 0)
    from count_lines where count_id = ${id}) where id = ${id}`.execute(transaction);
}

/** Notes in the lines of the items that the batch has stored what was found. */
export async function recordCorrection(
  transaction: KyselyTransaction,
  form: CountedForm,
  batch: number,
  numbers: readonly number[],
): Promise<void> {
  const id = await findCount(transaction, form);
  if (id === null || numbers.length === 0) return;
  await transaction
    .updateTable('count_lines')
    .set({ batch })
    .where('count_id', '=', id)
    .where('item_number', 'in', numbers)
    .execute();
}

async function findCount(transaction: KyselyTransaction, { author, form }: CountedForm) {
  const row = await transaction
    .selectFrom('counts')
    .select('id')
    .where('form', '=', form)
    .where('account_id', '=', author)
    .where('at', '>', new Date(Date.now() - COUNT_LIFE).toISOString())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The place or the tag that a list is of, if it has no other filter. */
export function placeOf(query: ItemQuery): readonly [field: FacetField, name: string] | null {
  const { search, tag, location, show } = query;
  if (search !== '' || show !== '' || (tag === '') === (location === '')) return null;
  if (hasOthers(query)) return null;
  return tag === '' ? ['location', location] : ['tag', tag];
}

function hasOthers({ kind, own }: ItemQuery): boolean {
  return kind !== '' || own.length > 0;
}

function describeList(list: ChosenItems) {
  const { search, tag, location, show, ticked } = list;
  const others = hasOthers(list) ? 'yes' : '';
  const all = Object.entries({ search, tag, location, show, ticked, others }).filter(
    ([, text]) => text !== '',
  );
  const [field = null, name = ''] = placeOf(list) ?? [];
  const key = field === null ? null : toFacetKey(name);
  return { about: JSON.stringify(Object.fromEntries(all)), field, key };
}
