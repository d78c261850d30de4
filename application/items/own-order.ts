/**
 * The order of a list by a field of the team's own. Items without a value come last, in either direction: an index of
 * the values has the others, so a page reads no more than it shows.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { isDescending, type Order } from './item-order.ts';
import type { OwnSort } from './match-own.ts';

/**
 * The rows of `found` with the value that they are sorted by. A subquery for each row, because PostgreSQL would join
 * with all values.
 */
export function withOwnValue(
  { field, column }: OwnSort,
  source: 'found' | 'items',
): RawBuilder<unknown> {
  const table = sql.ref(source);
  return sql`(select ${table}.number, (select ${sql.ref(`item_values.${column}`)} from item_values
    where item_values.item_number = ${table}.number and field_id = ${field}) as own_value
    from ${table}) as found`;
}

export function orderByOwn(order: Order): RawBuilder<unknown> {
  const direction = isDescending(order) ? sql`desc` : sql`asc`;
  // SQLite would read the value of each row a second time for an "own_value is null" before it.
  return sql`own_value ${direction} nulls last, found.number ${direction}`;
}

type Page = { readonly limit: number; readonly offset: number };
type Numbers = RawBuilder<{ readonly number: number }>;

/** Items with a value, by value. */
function selectValued({ field, column }: OwnSort, order: Order, page: Page): Numbers {
  const direction = isDescending(order) ? sql`desc` : sql`asc`;
  const value = sql.ref(`item_values.${column}`);
  return sql`select item_number as number from item_values
    where field_id = ${field} and ${value} is not null
    order by ${value} ${direction}, item_number ${direction} limit ${page.limit} offset ${page.offset}`;
}

/** Those without one, by number. */
function selectValueless(field: number, order: Order, page: Page): Numbers {
  const direction = isDescending(order) ? sql`desc` : sql`asc`;
  return sql`select number from items where not ${hasValue(field, sql`items.number`)}
    order by number ${direction} limit ${page.limit} offset ${page.offset}`;
}

/** For a "not exists", PostgreSQL would read the values of all items and join them. */
function hasValue(field: number, number: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`((select 1 from item_values
    where item_values.item_number = ${number} and field_id = ${field} limit 1) is not null)`;
}

/** A page of all items. Items without a value are looked for only where fewer than `limit` have one. */
export async function selectSorted(
  read: Kysely<Schema>,
  sorted: OwnSort,
  order: Order,
  { limit, offset }: Page,
  listLimit: number,
): Promise<readonly { readonly number: number }[]> {
  const { rows } = await selectValued(sorted, order, { limit, offset }).execute(read);
  if (rows.length === limit) return rows;
  const valued =
    rows.length > 0 ? offset + rows.length : await countValued(read, sorted, listLimit);
  const page = { limit: limit - rows.length, offset: Math.max(0, offset - valued) };
  return [...rows, ...(await selectValueless(sorted.field, order, page).execute(read)).rows];
}

async function countValued(
  read: Kysely<Schema>,
  { field, column }: OwnSort,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`select count(*) as count from
    (select 1 from item_values where field_id = ${field} and ${sql.ref(column)} is not null
      limit ${limit}) as counted`.execute(read);
  return Number(rows[0]?.count ?? 0);
}

/** The numbers before and after an item, in the order of all items. */
export async function findBeside(
  read: Kysely<Schema>,
  number: number,
  sorted: OwnSort,
  order: Order,
): Promise<{ readonly previous: number | null; readonly next: number | null }> {
  const { field, column } = sorted;
  const value = sql.ref(`item_values.${column}`);
  const own = sql`(select ${value} from item_values
    where item_number = ${number} and field_id = ${field})`;
  const { rows } = await sql<{ own: string | number | null }>`select ${own} as own`.execute(read);
  const has = (rows[0]?.own ?? null) !== null;
  const isDown = isDescending(order);
  /** Of the items with a value, the nearest one beyond this one. */
  const valued = (isUp: boolean) => {
    const [sign, direction] = isUp ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
    const find = (condition: RawBuilder<unknown>) =>
      sql`(select item_number from item_values where field_id = ${field} and ${condition}
        order by ${value} ${direction}, item_number ${direction} limit 1)`;
    // Two steps, because SQLite does not use an index for both columns of a comparison of rows.
    return sql`coalesce(${find(sql`${value} = ${own} and item_number ${sign} ${number}`)},
      ${find(sql`${value} ${sign} ${own}`)})`;
  };
  /** Of those without one. They are looked for among the first `NEAR` only: the list ends somewhere. */
  const valueless = (isUp: boolean, from: RawBuilder<unknown>) => {
    const [sign, direction] = isUp ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
    return sql`(select number from (select number from items where number ${sign} ${from}
        order by number ${direction} limit ${NEAR}) as near
      where not ${hasValue(field, sql`near.number`)} order by number ${direction} limit 1)`;
  };
  const first = isDown ? sql`${Number.MAX_SAFE_INTEGER}` : sql`0`;
  const last = sql`(select item_number from item_values
    where field_id = ${field} and ${value} is not null
    order by ${value} ${isDown ? sql`asc` : sql`desc`}, item_number ${isDown ? sql`asc` : sql`desc`} limit 1)`;
  const [previous, next] = has
    ? [valued(isDown), sql`coalesce(${valued(!isDown)}, ${valueless(!isDown, first)})`]
    : [
        sql`coalesce(${valueless(isDown, sql`${number}`)}, ${last})`,
        valueless(!isDown, sql`${number}`),
      ];
  const found = await sql<{ previous: number | null; next: number | null }>`
    select ${previous} as previous, ${next} as next`.execute(read);
  return found.rows[0] ?? { previous: null, next: null };
}

/** As many items as a list has. */
const NEAR = 10_000;
