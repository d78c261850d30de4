/** Reads the page of a list that the address names, and draws it. `listPage` makes a route of it. */
import type { Context } from '../chain/context.ts';
import type { Awaitable } from '../http/awaitable.ts';
import {
  checkOptions,
  FUNCTION,
  needed,
  OBJECT,
  type OptionKinds,
  TEXT,
  WHOLE_NUMBER,
} from '../http/check-options.ts';
import type { Html } from '../http/html.ts';
import type { SessionContext } from '../session/session.ts';
import type { List, ListOrder } from './define-list.ts';
import { type DrawnList, drawList, type ListLink, type Ticking } from './draw-list.ts';
import { type AddressChange, createAddresses } from './list-address.ts';
import type { PageWords } from './page-links.ts';
import { paginate } from './paginate.ts';
import { type ListQuery, readQuery } from './read-query.ts';

/** What tells the rows of a list apart in each of its orders, as `key` of `paginate`. */
export type ListKeys<Row, Sort extends string> = {
  readonly [By in Sort]: {
    readonly [Name in keyof Row & string]?: Row[Name] extends number ? 'int' : 'text';
  };
};

/** Which rows to read: one more than a page has tells that there is another page. */
export type ListPlace<K> = { readonly limit: number } & (unknown extends K
  ? { readonly offset: number }
  : [K] extends [undefined]
    ? { readonly offset: number }
    : {
        /**
         * The values of the key of the row that the page begins after, in the order of the key; null for the first
         * page. On the way back, `order.direction` is the other one, and the framework turns the rows round.
         */
        readonly position: readonly (string | number)[] | null;
      });

export interface ReadOptions<C, Row, Sort extends string, V, K> {
  /** Rows of a page; 20 by default. */
  readonly size?: number;
  /**
   * For pages by key, which begin after a certain row, so that none is shown twice or skipped: for each order the
   * columns that it sorts by, the last of them unique, as in `{ name: { name: 'text', id: 'int' } }`. Without it, pages
   * have numbers.
   */
  readonly keys?: K & ListKeys<Row, Sort>;
  /** Reads the rows of the page: of those that the filters leave, in the order, from `offset` or behind `position`. */
  readonly read: (context: C & ListQuery<Sort, V> & ListPlace<K>) => Awaitable<readonly Row[]>;
  /** The number of all rows that the filters leave. It often costs more than a page. */
  readonly count?: (context: C & Pick<ListQuery<Sort, V>, 'filter'>) => Awaitable<number>;
  /** The link to the form that adds a row; null for those who may not. */
  readonly add?: ListLink | ((context: C) => ListLink | null);
  /** What a list without any row says. */
  readonly empty?: Html | string;
  readonly words?: PageWords;
}

export const READ_LIST_KINDS: OptionKinds<
  ReadOptions<Context, unknown, string, unknown, undefined>
> = {
  size: WHOLE_NUMBER,
  keys: OBJECT,
  read: needed(FUNCTION),
  count: FUNCTION,
  add: {
    noun: 'a link or a function',
    example: "{ label: 'Add a thing', path: href('/things/new') }",
    accepts: (value) => OBJECT.accepts(value) || FUNCTION.accepts(value),
  },
  empty: { noun: 'text or HTML', accepts: (value) => TEXT.accepts(value) || OBJECT.accepts(value) },
  words: OBJECT,
};

/** A page of a list: what was asked for, its rows, and its parts as HTML. */
export interface ReadList<Row, Sort extends string, V> extends ListQuery<Sort, V>, DrawnList {
  readonly rows: readonly Row[];
  /** Null without `count`. */
  readonly count: number | null;
  /** From 1; null for a page by key. */
  readonly page: number | null;
  readonly pageCount: number | null;
}

/** Reads the page of the list that the address of the request names, and draws its parts. */
export async function readList<C extends Context, Row, Sort extends string, V, const K = undefined>(
  context: C,
  list: List<Row, Sort, V>,
  options: ReadOptions<C, Row, Sort, V, K>,
): Promise<ReadList<Row, Sort, V>> {
  checkOptions('readList', options, READ_LIST_KINDS);
  return readDrawn(context, list, options, { csv: false, ticking: null });
}

/** The same, with what a route of its own adds. */
export async function readDrawn<C extends Context, Row, Sort extends string, V, K>(
  context: C,
  list: List<Row, Sort, V>,
  options: ReadOptions<C, Row, Sort, V, K>,
  added: { readonly csv: boolean; readonly ticking: Ticking | null },
): Promise<ReadList<Row, Sort, V>> {
  const { request } = context;
  const { size = 20, count: countAll, add, empty, words } = options;
  const asked = await readQuery(list, request);
  const { filter } = asked;
  const count = (await countAll?.({ ...context, filter })) ?? null;
  const toAddress = createAddresses(list, request, asked);
  const key = keyOf(options.keys, asked.order);
  const paging = {
    size,
    ...(key === null ? {} : { key }),
    ...(key !== null || count === null ? {} : { count: () => count }),
    ...(words && { words }),
    read: (place: object) => options.read(toPlace(context, asked, key, place) as never),
    href: (place: NonNullable<AddressChange['place']>) => toAddress({ place }),
  };
  const { rows, nav, page, pageCount } = await paginate(request, paging as never);
  const link = typeof add === 'function' ? add(context) : (add ?? null);
  const { flash = null } = context as Partial<Pick<SessionContext, 'flash'>>;
  const own = { count, nav, add: link, empty, hasFlash: flash !== null };
  const shown = { rows: rows as readonly Row[], ...own, ...added };
  const drawn = drawList({ list, request, asked, toAddress, shown });
  const order = asked.order as ListQuery<Sort, V>['order'];
  return { filter, order, rows: shown.rows, count, page, pageCount, ...drawn };
}

type Key = Readonly<Record<string, 'int' | 'text'>>;

export function keyOf(keys: unknown, order: ListOrder | null): Key | null {
  if (keys === undefined) return null;
  return (keys as Readonly<Record<string, Key>>)[order?.by ?? ''] ?? null;
}

/** What `read` gets: a position as the list of its values, and the direction in which the rows follow it. */
export function toPlace(
  context: Context,
  { filter, order }: { readonly filter: unknown; readonly order: ListOrder | null },
  key: Key | null,
  place: object,
): object {
  if (key === null) return { ...context, filter, order, ...place };
  const { limit, position, isBackwards } = place as {
    readonly limit: number;
    readonly position: Readonly<Record<string, string | number>> | null;
    readonly isBackwards: boolean;
  };
  const direction = (order?.direction === 'asc') === isBackwards ? 'desc' : 'asc';
  return {
    ...{ ...context, filter, limit, order: { ...order, direction } },
    position: position && Object.keys(key).map((name) => position[name]),
  };
}
