/**
 * After a change of a place's path, what is in it gets the new location: a few hundred items in a transaction, so that
 * other writes run in between. The items that still have the earlier path are those under the aliases of the place, so
 * nothing else has to be remembered: after a crash, the page of the place finds them and offers the rest.
 */
import { type Kysely, sql } from 'kysely';
import { type Database, isSqlite, type KyselyTransaction } from '../../database/kysely.ts';
import type { Schema } from '../../database/schema.ts';
import type { ItemState } from '../events/item-changes.ts';
import { toFacetKey } from '../facets.ts';
import { inPieces } from '../in-pieces.ts';
import { MAX_LOCATION_LENGTH } from '../item-limits.ts';
import { isWithin, levelsOf } from '../place.ts';
import { changeMany } from '../select/change-many.ts';
import { findRow } from './change-places.ts';

/** Items per transaction. On SQLite all other writes wait for it. */
export function movedAtOnce(transaction: KyselyTransaction): number {
  return isSqlite(transaction) ? 200 : 500;
}

/** Locations that become others: those with this key, and all inside. */
export interface Earlier {
  readonly key: string;
  readonly path: string;
  /** Those that begin with this text stay: they are spelled as they should be. */
  readonly stays?: string;
}

/** The numbers of the items there, lowest first. */
export async function findThings(
  source: Kysely<Schema>,
  { key, stays }: Earlier,
  limit: number,
): Promise<readonly number[]> {
  const respelled =
    stays === undefined ? sql`` : sql`and not ${isWithin(sql`name`, sql`${stays}`)}`;
  const { rows } = await sql<{ number: number }>`select number from items where location in
      (select name from item_facets where field = 'location'
        and ${isWithin(sql`key`, sql`${key}`)} ${respelled})
    order by number limit ${limit}`.execute(source);
  return rows.map(({ number }) => number);
}

/** How many items still have an earlier path of the place. */
export async function countLeft(source: Kysely<Schema>, place: number): Promise<number> {
  const { rows } = await sql<{ items: number | null }>`select sum(items) as items
    from item_facets, place_aliases where place = ${place} and field = 'location'
      and ${isWithin(sql`item_facets.key`, sql`place_aliases.key`)}`.execute(source);
  return Number(rows[0]?.items ?? 0);
}

/** The location with another beginning; null if it would be too long. */
export function toMoved(location: string, from: string, to: string): string | null {
  const rest = levelsOf(location).slice(levelsOf(from).length);
  const path = [to, ...rest.map(({ name }) => name)].join(', ');
  return [...path].length <= MAX_LOCATION_LENGTH ? path : null;
}

export interface Moving {
  readonly place: number;
  readonly batch: number;
  readonly author: number;
  /** Whether the place has the same name in another spelling. */
  readonly isRespelled?: boolean;
}

export interface Moved {
  readonly moved: number;
  /** How many items still have an earlier path of the place. */
  readonly left: number;
}

/** Moves some of the items that still have an earlier path. */
async function moveSome(
  transaction: KyselyTransaction,
  { place, isRespelled = false, ...by }: Moving,
): Promise<Moved> {
  const row = await findRow(transaction, place);
  if (row === undefined || row.key === null) return { moved: 0, left: 0 };
  const aliases: readonly Earlier[] = await transaction
    .selectFrom('place_aliases')
    .select(['key', 'path'])
    .where('place', '=', place)
    .execute();
  const { key, path } = row;
  for (const earlier of [...aliases, ...(isRespelled ? [{ key, path, stays: path }] : [])]) {
    const numbers = await findThings(transaction, earlier, movedAtOnce(transaction));
    if (numbers.length === 0) continue;
    const moved = await moveNumbers(transaction, numbers, earlier, path, by);
    if (moved > 0) return { moved, left: await countLeft(transaction, place) };
  }
  return { moved: 0, left: await countLeft(transaction, place) };
}

/** Moves items that may have been moved elsewhere meanwhile: those stay. Resolves to how many it has moved. */
export async function moveNumbers(
  transaction: KyselyTransaction,
  numbers: readonly number[],
  from: Earlier,
  to: string,
  by: { readonly author: number; readonly batch: number },
): Promise<number> {
  const toState = (item: ItemState) => {
    const isThere = `${toFacetKey(item.location)},`.startsWith(`${from.key},`);
    if (!isThere) return item;
    const location = toMoved(item.location, from.path, to);
    return location === null ? null : { ...item, location };
  };
  return (await changeMany(transaction, numbers, toState, by)).changed;
}

/** Goes on with what `begun` has begun, in several transactions. */
export type MoveRest = (moving: Moving, begun?: Moved) => Promise<Moved>;

export function createMoveRest({ write }: Pick<Database, 'write'>): MoveRest {
  return (moving, begun = { moved: 0, left: 0 }) =>
    inPieces(begun, async ({ moved }) => {
      const some = await write((transaction) => moveSome(transaction, moving));
      return some.moved === 0 ? null : { moved: moved + some.moved, left: some.left };
    });
}
