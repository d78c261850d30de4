/**
 * A list in pages, by number or by key. A page by number is counted from the start (`limit` and `offset`): entries that
 * come or go meanwhile are shown twice or skipped. A page by key begins after a certain entry, so none is.
 *
 * One rule for every address: one that names no page, because it cannot be read or nothing is there, shows the first.
 */

import type { Awaitable } from '../http/awaitable.ts';
import { checkOptions, FUNCTION, needed, OBJECT, type OptionKinds } from '../http/check-options.ts';
import { type Href, localPath } from '../http/href.ts';
import { toLocalPath } from '../http/local-path.ts';
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import { drawLinks, type PageLinks, type PageWords, pageLinks } from './page-links.ts';

/** What tells the entries of a list apart, in the order of the list: names of their properties, and what those are. */
type KeyKinds = Readonly<Record<string, 'int' | 'text'>>;

/** The part of an entry that is its key. */
type KeyValues<K> = { readonly [Name in keyof K]: K[Name] extends 'int' ? number : string };

/** What to read: one entry more than a page has, if there is one, tells that there is another page. */
type PageRequest<K> = { readonly limit: number } & (K extends KeyKinds
  ? {
      /** The entry that the page begins after; null for the first page. */
      readonly position: KeyValues<K> | null;
      /** To read the entries before the position instead, the nearest first. */
      readonly isBackwards: boolean;
    }
  : { readonly offset: number });

/** What the address of a page says, for the query of a link. */
type PageAddress = {
  readonly [Name in 'page' | 'after' | 'before']?: string | number | undefined;
};

interface PagesOptions<K, Row> {
  /** Entries of a page. */
  readonly size: number;
  /** Such as `{ title: 'text', id: 'int' }` for a list that is sorted by both. Without it, pages have numbers. */
  readonly key?: K;
  readonly read: (place: PageRequest<K>) => Awaitable<readonly Row[]>;
  /** The number of all entries, for pages with numbers: then there is a last page. It often costs more than a page. */
  readonly count?: K extends KeyKinds ? never : () => Awaitable<number>;
  /** The address of a page. By default that of the request, whose query it keeps. */
  readonly href?: (address: PageAddress) => Href;
  readonly words?: PageWords;
}

const PAGES_KINDS = {
  size: needed({ noun: 'a whole number from 1', accepts: isSize }, '20'),
  key: OBJECT,
  read: needed(FUNCTION),
  count: FUNCTION,
  href: FUNCTION,
  words: OBJECT,
} satisfies OptionKinds<PagesOptions<unknown, unknown>>;

function isSize(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

interface Pages<Row> extends PageLinks {
  readonly rows: readonly Row[];
  /** From 1; null for a page by key. */
  readonly page: number | null;
  /** Null without `count`. */
  readonly pageCount: number | null;
  readonly count: number | null;
}

/** Reads the page that the address of the request names, and makes the links to the others. */
export async function paginate<const K, Row extends KeyValues<K>>(
  request: Request,
  options: PagesOptions<K, Row>,
): Promise<Pages<Row>> {
  checkOptions('paginate', options, PAGES_KINDS);
  const { key, href = keepQuery(request), ...others } = options;
  const untyped = { ...others, href } as unknown as Untyped<Row>;
  return key === undefined
    ? readNumbered(request, untyped)
    : readKeyed(request, untyped, key as KeyKinds);
}

interface Untyped<Row> extends Omit<PagesOptions<unknown, Row>, 'key' | 'read' | 'href'> {
  readonly read: (place: object) => Awaitable<readonly Row[]>;
  readonly href: (address: PageAddress) => Href;
}

/** Numbers beyond it cannot be read. */
const PAGE_NUMBER = /^[1-9]\d{0,8}$/;

async function readNumbered<Row>(
  request: Request,
  { size, read, count: countAll, href: toHref, words }: Untyped<Row>,
): Promise<Pages<Row>> {
  const text = request.query.get('page') ?? '';
  const requested = PAGE_NUMBER.test(text) ? Number(text) : 1;
  const count = (await countAll?.()) ?? null;
  const pageCount = count === null ? null : Math.max(1, Math.ceil(count / size));
  const readPage = async (page: number) => ({
    page,
    found: await read({ limit: size + 1, offset: (page - 1) * size }),
  });
  const wanted = await readPage(Math.min(requested, pageCount ?? requested));
  const isThere = wanted.found.length > 0 || wanted.page === 1;
  const { page, found } = isThere ? wanted : await readPage(1);
  const href = (to: number) => toHref({ page: to === 1 ? undefined : to });
  const hasNext = pageCount === null ? found.length > size : page < pageCount;
  const language = languageOf(request);
  const links = pageLinks({ page, pageCount, hasNext, href, language, ...(words && { words }) });
  return { ...links, rows: found.slice(0, size), page, pageCount, count };
}

async function readKeyed<Row>(
  request: Request,
  { size, read, href, words }: Untyped<Row>,
  kinds: KeyKinds,
): Promise<Pages<Row>> {
  const { query } = request;
  const after = parseKey(query.get('after'), kinds);
  const before = after === null ? parseKey(query.get('before'), kinds) : null;
  const readPage = async (position: object | null, isBackwards: boolean) => ({
    position,
    isBackwards,
    found: await read({ limit: size + 1, position, isBackwards }),
  });
  const wanted = await readPage(after ?? before, before !== null);
  // Too few entries before a position are not a page of their own: the first page has more.
  const isThere = wanted.found.length >= (wanted.isBackwards ? size : 1);
  const { position, isBackwards, found } =
    isThere || wanted.position === null ? wanted : await readPage(null, false);
  const shown = found.slice(0, size);
  const rows = isBackwards ? shown.toReversed() : shown;
  const hasMore = found.length > size;
  const [hasPrev, hasNext] = isBackwards ? [hasMore, true] : [position !== null, hasMore];
  const keyOf = (row: Row | undefined) => serializeKey(row as object, kinds);
  const links = {
    first: hasPrev ? href({}) : null,
    prev: hasPrev ? href({ before: keyOf(rows[0]) }) : null,
    next: hasNext ? href({ after: keyOf(rows.at(-1)) }) : null,
    last: null,
  };
  const nav = drawLinks(links, null, languageOf(request), words);
  return { ...links, nav, rows, page: null, pageCount: null, count: null };
}

/** A key of one value is its text, and one of several a list in JSON. */
function serializeKey(row: object, kinds: KeyKinds): string {
  const values = Object.keys(kinds).map((name) => (row as Readonly<Record<string, unknown>>)[name]);
  return values.length === 1 ? String(values[0]) : JSON.stringify(values);
}

const INT = /^(?:0|-?[1-9]\d*)$/;

/** Null unless every value is of its kind: a database may refuse others. */
function parseKey(
  text: string | null,
  kinds: KeyKinds,
): Readonly<Record<string, string | number>> | null {
  const names = Object.entries(kinds);
  const values = names.length === 1 ? [text] : parseList(text);
  if (text === null || values.length !== names.length) return null;
  const key: Record<string, string | number> = {};
  for (const [index, [name, kind]] of names.entries()) {
    const value = String(values[index]);
    if (kind === 'text' ? value.includes('\0') : !INT.test(value)) return null;
    if (kind === 'int' && !Number.isSafeInteger(Number(value))) return null;
    key[name] = kind === 'int' ? Number(value) : value;
  }
  return key;
}

function parseList(text: string | null): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text ?? '');
    const isKey = Array.isArray(list) && list.every((value) => /string|number/.test(typeof value));
    return isKey ? list : [];
  } catch {
    return [];
  }
}

/** The addresses of the other pages: that of the request, with another page. */
function keepQuery({ target, query }: Request): (address: PageAddress) => Href {
  const path = toLocalPath(target.replace(/\?.*/s, '')) ?? '/';
  return (address) => {
    const kept = new URLSearchParams(query);
    for (const name of ['page', 'after', 'before'] as const) {
      const value = address[name];
      if (value === undefined) kept.delete(name);
      else kept.set(name, String(value));
    }
    return localPath(kept.size === 0 ? path : `${path}?${kept}`);
  };
}
