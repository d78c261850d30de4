/**
 * The previous and the next item in a list. They are found by the item's own values and not by counting, so they
 * cost the same anywhere in a million items. In a filtered list they wait in the queue of searches.
 *
 * The item need not be in the list: its neighbours are those of the position that it would have.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Enqueue } from 'seeother/middleware';
import type { Database } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';
import type { DefinitionsReader } from '../own-fields/definitions.ts';
import { toDay } from '../site/format.ts';
import { fromFound, orderFound, withFound } from './item-matches.ts';
import { columnOf, isDescending, type Order, reverseOf, toOrderBy } from './item-order.ts';
import { type ItemQuery, isFiltered } from './item-query.ts';
import { type KnownQuery, knowOwn } from './match-own.ts';
import { findBeside } from './own-order.ts';

export interface Neighbours {
  /** The numbers; null at an end of the list. */
  readonly previous: number | null;
  readonly next: number | null;
}

/** Rejects with QueueFull if too many filtered lists are requested. */
export type FindNeighbours = (number: number, query: ItemQuery) => Promise<Neighbours>;

export function createNeighbours(
  database: Pick<Database, 'read' | 'slowRead' | 'statement'>,
  definitions: Pick<DefinitionsReader, 'read' | 'known'>,
  queueSearch: Enqueue,
  now: () => Date,
): FindNeighbours {
  const findByNumber = database.statement(selectByNumber);
  return async (number, asked) => {
    const query = await knowOwn(definitions, asked);
    const { order, sorted } = query;
    if (isFiltered(query))
      return queueSearch(() => findFound(database.slowRead, number, query, toDay(now())));
    if (sorted !== null)
      return queueSearch(() => findBeside(database.slowRead, number, sorted, order));
    if (order !== 'newest' && order !== 'oldest') return findAround(database.read, number, order);
    const { below = null, above = null } = (await findByNumber.first({ number })) ?? {};
    return order === 'newest' ? { previous: above, next: below } : { previous: below, next: above };
  };
}

function selectByNumber(
  read: Kysely<Schema>,
  { number }: Placeholders<{ readonly number: number }>,
) {
  return read.selectNoFrom((one) => [
    one
      .selectFrom('items')
      .select((row) => row.fn.max('number').as('number'))
      .where('number', '<', number)
      .as('below'),
    one
      .selectFrom('items')
      .select((row) => row.fn.min('number').as('number'))
      .where('number', '>', number)
      .as('above'),
  ]);
}

async function findFound(
  read: Kysely<Schema>,
  number: number,
  query: KnownQuery,
  today: string,
): Promise<Neighbours> {
  const { found, hasPlaces } = await withFound(read, query, today);
  if (query.sorted !== null) return findInOrder(read, number, query, found);
  if (hasPlaces && query.order === 'newest') return findByPlace(read, number, found);
  return findAround(read, number, query.order, {
    prelude: found,
    // The numbers suffice for an order by number. For "cross join" see `selectPage`.
    rows:
      columnOf(query.order) === null
        ? sql`found as items where`
        : sql`found cross join items where items.number = found.number and`,
  });
}

/** By a field of the team's own: the list is short. An item that is not in it has no neighbours. */
async function findInOrder(
  read: Kysely<Schema>,
  number: number,
  query: KnownQuery,
  prelude: RawBuilder<unknown>,
): Promise<Neighbours> {
  const { rows } = await sql<Neighbours>`${prelude}, listed as materialized (
      select found.number, row_number() over (order by ${orderFound(query)}) as at
      from ${fromFound(query)})
    select (select number from listed where at = own.at - 1) as previous,
      (select number from listed where at = own.at + 1) as next
    from listed as own where own.number = ${number}`.execute(read);
  return rows[0] ?? { previous: null, next: null };
}

/** An item that the search does not find has the place of its number. */
async function findByPlace(
  read: Kysely<Schema>,
  number: number,
  prelude: RawBuilder<unknown>,
): Promise<Neighbours> {
  const own = sql`coalesce((select place from found where number = ${number}), ${number})`;
  const { rows } = await sql<Neighbours>`${prelude} select
    (select number from found where place > ${own} order by place limit 1) as previous,
    (select number from found where place < ${own} order by place desc limit 1) as next`.execute(
    read,
  );
  return rows[0] ?? { previous: null, next: null };
}

interface Listed {
  readonly prelude: RawBuilder<unknown>;
  /** The rows of the list, up to a further condition. */
  readonly rows: RawBuilder<unknown>;
}

const ALL: Listed = { prelude: sql``, rows: sql`items where` };

async function findAround(
  read: Kysely<Schema>,
  number: number,
  order: Order,
  { prelude, rows }: Listed = ALL,
): Promise<Neighbours> {
  const column = columnOf(order);
  const own = sql`(select ${column} from items where number = ${number})`;
  /** The first item after this one in the order. */
  const after = (towards: Order) => {
    const beyond = isDescending(towards) ? sql`<` : sql`>`;
    const byNumber = isDescending(towards) ? sql`items.number desc` : sql`items.number`;
    const find = (condition: RawBuilder<unknown>, by: RawBuilder<unknown>) =>
      sql`(select items.number from ${rows} ${condition} order by ${by} limit 1)`;
    if (column === null) return find(sql`items.number ${beyond} ${number}`, byNumber);
    // Two steps, because SQLite does not use an index for both columns of a comparison of rows.
    const equal = sql`${column} = ${own} and items.number ${beyond} ${number}`;
    return sql`coalesce(${find(equal, byNumber)},
      ${find(sql`${column} ${beyond} ${own}`, toOrderBy(towards))})`;
  };
  const { rows: found } = await sql<Neighbours>`${prelude}
    select ${after(reverseOf(order))} as previous, ${after(order)} as next`.execute(read);
  return found[0] ?? { previous: null, next: null };
}
