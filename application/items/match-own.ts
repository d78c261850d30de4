/**
 * The items that match filters by fields of the team's own, as SQL. Each filter is a query for their numbers, which an
 * index of the values answers, and also a check of one item, for a filter that most items match: the first
 * `MAX_RESULTS` by value are found without reading the others.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Awaitable, andThen } from 'seeother/middleware';
import { isSqlite } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import type { Definitions, DefinitionsReader, OwnField } from '../own-fields/definitions.ts';
import { VALUE_KINDS } from '../own-fields/own-field.ts';
import { toOwnKey } from '../own-fields/own-values.ts';
import { isDescending, isOwnOrder, type Order, type OwnOrder } from './item-order.ts';
import type { ItemQuery } from './item-query.ts';
import { matchOwnWords } from './item-search.ts';
import type { OwnFilter } from './own-filter.ts';
import { toSearchWords } from './search-words.ts';
import { NO_FIELDS, type SearchedFields, searchedFields } from './searched-fields.ts';

/** A query whose fields of the team's own are known. Others are ignored, as all that is unknown in an address. */
export interface KnownQuery extends ItemQuery {
  readonly own: readonly KnownFilter[];
  /** The field of the order; null for another order. */
  readonly sorted: OwnSort | null;
  /** What a search finds besides what every item has. */
  readonly searched: SearchedFields;
}

interface KnownFilter extends OwnFilter {
  readonly definition: OwnField;
}

export interface OwnSort {
  readonly field: number;
  readonly column: 'key' | 'number';
}

/** Reads the definitions anew only if the query names a field. */
export function knowOwn(
  definitions: Pick<DefinitionsReader, 'read' | 'known'>,
  query: ItemQuery,
): Awaitable<KnownQuery> {
  const isNamed = query.own.length > 0 || isOwnOrder(query.order);
  if (!isNamed && query.search === '')
    return { ...query, own: [], sorted: null, searched: NO_FIELDS };
  const reading = isNamed ? definitions.read() : definitions.known();
  return andThen(reading, (made) => toKnown(made, query));
}

function toKnown(made: Definitions, query: ItemQuery): KnownQuery {
  const { own, order } = query;
  const isOwn = isOwnOrder(order);
  const { fields } = made;
  const searched = searchedFields(made);
  const find = (id: number) => fields.find((field) => field.id === id);
  const known = own.flatMap((filter) => {
    const definition = find(filter.field);
    return definition === undefined ? [] : { ...filter, definition };
  });
  const by = isOwn ? find(fieldOf(order)) : undefined;
  const column = by === undefined ? null : VALUE_KINDS[by.kind].sortedBy;
  if (by === undefined || column === null)
    return { ...query, own: known, order: isOwn ? 'newest' : order, sorted: null, searched };
  return { ...query, own: known, sorted: { field: by.id, column }, searched };
}

/** The id of its field. */
export function fieldOf(order: OwnOrder): number {
  return Number(order.slice(order.indexOf('_') + 1));
}

/** Whether the item with that number matches. */
export type Check = (number: RawBuilder<unknown>) => RawBuilder<unknown>;

export interface OwnMatch {
  /** For the column `number`, each once; null if only a check can tell. */
  readonly query: RawBuilder<unknown> | null;
  readonly check: Check | null;
  /** The query is sorted by another column than the number. */
  readonly range: Range | null;
}

export interface Range extends OwnSort {
  /** Of the rows of `item_values`. */
  readonly condition: RawBuilder<unknown>;
}

/** Null for a filter that says nothing for its kind of value. */
export function matchOwn(read: Kysely<Schema>, filter: KnownFilter): OwnMatch | null {
  const { field, definition, how, text } = filter;
  const { kind } = definition;
  const ofField = sql`field_id = ${field}`;
  // Without the sign, SQLite would look for an item among all values in a range, and not among its own.
  const ofSameField = isSqlite(read) ? sql`+${ofField}` : ofField;
  const has =
    (condition: RawBuilder<unknown>): Check =>
    (number) =>
      sql`exists (select 1 from item_values where item_number = ${number} and ${ofSameField}${condition})`;
  if (how === 'empty')
    return { query: null, check: (number) => sql`not ${has(sql``)(number)}`, range: null };
  if (how === 'any') {
    const column = VALUE_KINDS[kind].sortedBy ?? 'key';
    // One row for each item. The index of numbers is partial: it is used only for this condition.
    const isOne = column === 'number' ? sql`item_values.number is not null` : sql`position <= 1`;
    const range = { field, condition: sql`${ofField} and ${isOne}`, column };
    return { query: null, check: has(sql``), range };
  }
  const equal = (key: string): OwnMatch => ({
    query: sql`select item_number as number from item_values where ${ofField} and key = ${key}`,
    check: null,
    range: null,
  });
  switch (kind) {
    case 'number':
    case 'money':
    case 'date': {
      const isDate = kind === 'date';
      const name = isDate ? 'key' : 'number';
      const column = sql.ref(`item_values.${name}`);
      const parse = isDate ? readDay : readNumber;
      const from = parse(filter.from);
      const to = parse(filter.to);
      if (from === null && to === null) return null;
      const bounds = [
        from === null ? sql`` : sql` and ${column} >= ${from}`,
        to === null ? sql`` : sql` and ${column} <= ${to}`,
      ];
      const between = sql.join(bounds, sql``);
      const range = { field, condition: sql`${ofField}${between}`, column: name } as const;
      return { query: null, check: has(between), range };
    }
    case 'choice':
    case 'choices':
    case 'yes or no':
      return text === '' ? null : equal(text);
    default:
      if (text === '') return null;
      if (how === 'is') return equal(toOwnKey(kind, text));
      return {
        query: matchOwnWords(read, field, toSearchWords(text).words),
        check: null,
        range: null,
      };
  }
}

/** As it is typed in English: 1,234.50. */
function readNumber(text: string): number | null {
  const plain = text.replaceAll(/[\s,]/g, '');
  return /^[+−-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(plain) ? Number(plain.replace('−', '-')) : null;
}

/** A day as in `2026-11-20`. */
export function readDay(text: string): string | null {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : null;
}

/** More than so many matches are not looked up before another condition. */
const BROAD = 1_000;

/** Whether so many values are in the range that a check of each item costs less. */
export async function isBroad(read: Kysely<Schema>, { condition }: Range): Promise<boolean> {
  const { rows } = await sql<{ readonly count: number }>`select count(*) as count from
    (select 1 from item_values where ${condition} limit ${BROAD + 1}) as counted`.execute(read);
  return Number(rows[0]?.count ?? 0) > BROAD;
}

/** With a limit, the first items by value, and one more: the last ones for a list that begins with them. */
export function selectRange(
  range: Range,
  limit: number | null,
  { order, sorted }: Pick<KnownQuery, 'order' | 'sorted'>,
): RawBuilder<unknown> {
  const all = sql`select item_number as number from item_values where ${range.condition}`;
  if (limit === null) return all;
  const isReversed = sorted?.field === range.field && isDescending(order);
  return sql`select number from (${all} ${byValue(range, isReversed)} limit ${limit + 1}) as ranged`;
}

/**
 * Of a list that is sorted by the field of its only filter: the numbers of a page, each with the count of all matches.
 * An index has this order, so the other matches are counted and not looked up.
 */
export function selectRangePage(
  range: Range,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  most: number,
  order: Order,
): RawBuilder<{ readonly number: number; readonly count: number }> {
  const counted = sql`select 1 from item_values where ${range.condition} limit ${most + 1}`;
  return sql`select item_number as number, (select count(*) from (${counted}) as counted) as count
    from item_values where ${range.condition}
    ${byValue(range, isDescending(order))} limit ${limit} offset ${offset}`;
}

function byValue({ column }: Range, isReversed: boolean): RawBuilder<unknown> {
  const direction = isReversed ? sql`desc` : sql`asc`;
  return sql`order by ${sql.ref(`item_values.${column}`)} ${direction}, item_number ${direction}`;
}
