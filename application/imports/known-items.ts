/**
 * Recognizes the items that rows of a file stand for: by their sources, otherwise by the name and the location. So a
 * file that is imported again adds nothing twice.
 *
 * Things of the same name and location with different references, such as six monitors, are different items. A
 * reference of an item that never had the name of the row is a question.
 */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Changes } from '../items/events/item-changes.ts';
import {
  findBySource,
  isReference,
  isSameKind,
  NUMBER,
  ROW,
  type Source,
  sourcesOf,
} from '../items/item-sources.ts';
import { toSortKey } from '../site/fold-text.ts';
import {
  bareText,
  plainLocation,
  plainLocationSql,
  plainSql,
  plainText,
  tidyLocation,
  tidyText,
} from './same-text.ts';

/** A thing in a row of a file. */
export interface Thing {
  readonly name: string;
  readonly location: string;
  /** The first one tells it apart from the others in the file. */
  readonly sources: readonly Source[];
  /** The number that the row has, of an item that may be another thing. */
  readonly named?: number | undefined;
  /** Items that are other things. */
  readonly not?: readonly number[] | undefined;
}

export interface Match {
  readonly number: number;
  /** False if the item may be another thing: only a reference or a number says that it is this one. */
  readonly isSure: boolean;
  /** The sources of the thing by which the item is not known yet. */
  readonly missing: readonly Source[];
}

/** No item is this thing. `others` have its name and its location, and are other things. */
export interface NoMatch {
  readonly number: null;
  readonly others: readonly number[];
}

export interface RestOfFile {
  /** The items that its other rows stand for. Only a source can say that this thing is one of them, too. */
  readonly taken: ReadonlyMap<number, unknown>;
  /** Whether any row of the file has this source. */
  readonly isInFile: (source: Source) => Promise<boolean>;
}

const NOTHING_ELSE: RestOfFile = { taken: new Map(), isInFile: async () => false };

/** Two rows or items with the same key have the same name and location. */
export function keyOf({ name, location }: Pick<Thing, 'name' | 'location'>): string {
  // Neither text has a line break.
  return `${plainText(name)}\n${plainLocation(location)}`;
}

export async function findKnown(
  read: Kysely<Schema>,
  things: readonly Thing[],
  { taken, isInFile }: RestOfFile = NOTHING_ELSE,
): Promise<readonly (Match | NoMatch)[]> {
  const { found, doubts } = await matchSources(read, things, taken);
  const unknown = things.filter((thing) => !found.has(thing));
  const byKey = Map.groupBy(await findByName(read, unknown), keyOf);
  const alike = new Map(
    byKey.size === 0 ? [] : unknown.map((thing) => [thing, byKey.get(keyOf(thing)) ?? []]),
  );
  const own = await sourcesOf(
    read,
    [...byKey.values()].flat().map(({ number }) => number),
  );
  const gone = new Set([...taken.keys(), ...[...found.values()].map(({ number }) => number)]);
  for (const thing of unknown) {
    for (const { number } of alike.get(thing) ?? []) {
      if (gone.has(number) || thing.not?.includes(number)) continue;
      if (await isAnother(thing, own.get(number) ?? [], isInFile)) continue;
      gone.add(number);
      // A reference of an item with another name is not that of this one.
      const missing = doubts.has(thing) ? [] : thing.sources;
      found.set(thing, { number, isSure: true, missing });
      break;
    }
  }
  return things.map((thing) => {
    const match = found.get(thing);
    if (match !== undefined) return match;
    const doubt = doubts.get(thing);
    if (doubt !== undefined && !gone.has(doubt))
      return { number: doubt, isSure: false, missing: thing.sources };
    return { number: null, others: (alike.get(thing) ?? []).map(({ number }) => number) };
  });
}

/** Whether an item with the name and the location of the thing is another one. */
async function isAnother(
  { sources }: Thing,
  own: readonly Source[],
  isInFile: RestOfFile['isInFile'],
): Promise<boolean> {
  const names = sources.filter(({ kind }) => kind !== ROW);
  for (const one of own) {
    if (names.some((source) => isSameKind(source, one))) return true;
    if (await isInFile(one)) return true;
  }
  return false;
}

/** The things that are known by a source; and the items that others may be, although these have other names. */
async function matchSources(
  read: Kysely<Schema>,
  things: readonly Thing[],
  taken: RestOfFile['taken'],
): Promise<{ found: Map<Thing, Match>; doubts: ReadonlyMap<Thing, number> }> {
  const bySource = await findBySource(
    read,
    things.flatMap(({ sources }) => sources.map(({ text }) => text)),
  );
  const own = await sourcesOf(
    read,
    things.some(hasNumber) ? [...bySource.values()].flat().map(({ number }) => number) : [],
  );
  const found = new Map<Thing, Match>();
  const doubtful = new Map<Thing, readonly number[]>();
  for (const thing of things) {
    const { sources, named, not = [] } = thing;
    const items = sources.flatMap((source) =>
      (bySource.get(source.text) ?? []).filter(
        (one) =>
          isSameKind(source, one) &&
          !not.includes(one.number) &&
          // Of two items of another collection, both may have the reference.
          !(isReference(one) && hasNumber(thing) && own.get(one.number)?.some(isNumber)),
      ),
    );
    const free = items.filter(({ number }) => !taken.has(number));
    const item = [...free, ...items].find((one) => !isReference(one) || isSameName(one, thing));
    if (item !== undefined) {
      const has = items.filter(({ number }) => number === item.number);
      const missing = sources.filter(({ text }) => !has.some((one) => one.text === text));
      found.set(thing, { number: item.number, isSure: true, missing });
      continue;
    }
    const numbers = free.map(({ number }) => number);
    if (named !== undefined) numbers.unshift(named);
    if (numbers.length > 0) doubtful.set(thing, numbers);
  }
  const names = await readOldNames(read, [...doubtful.values()].flat());
  const doubts = new Map<Thing, number>();
  for (const [thing, numbers] of doubtful) {
    const had = numbers.find((number) => names.get(number)?.has(plainText(thing.name)));
    if (had !== undefined && had !== thing.named)
      found.set(thing, { number: had, isSure: true, missing: thing.sources });
    else doubts.set(thing, had ?? numbers[0] ?? 0);
  }
  return { found, doubts };
}

function isNumber({ kind }: Source): boolean {
  return kind === NUMBER;
}

function hasNumber({ sources }: Thing): boolean {
  return sources.some(isNumber);
}

function isSameName(one: { readonly name: string }, other: { readonly name: string }): boolean {
  return plainText(one.name) === plainText(other.name);
}

/** The names that items had before, by their numbers. */
async function readOldNames(
  read: Kysely<Schema>,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  if (numbers.length === 0) return new Map();
  const events = await read
    .selectFrom('item_events')
    .select(['item_number as number', 'changes'])
    .where('item_number', 'in', numbers)
    .where('changes', 'like', '%"name":%')
    .execute();
  const byItem = Map.groupBy(events, ({ number }) => number);
  return new Map(
    [...byItem].map(([number, own]) => {
      const names = own.flatMap(({ changes }) => (JSON.parse(changes) as Changes).name ?? []);
      return [number, new Set(names.map((name) => plainText(name ?? '')))];
    }),
  );
}

/** Items with such a name and such a location, which may be spelled otherwise. */
async function findByName(
  read: Kysely<Schema>,
  things: readonly Thing[],
): Promise<
  readonly { readonly number: number; readonly name: string; readonly location: string }[]
> {
  if (things.length === 0) return [];
  const spell = (text: string) => [text, bareText(text)];
  const names = spellingsOf(things.flatMap(({ name }) => spell(tidyText(name))));
  const locations = spellingsOf(things.flatMap(({ location }) => spell(tidyLocation(location))));
  const name = sql.ref('items.name');
  const select = () =>
    read
      .selectFrom('items')
      .select(['number', 'name', 'location'])
      .where(plainLocationSql(sql.ref('items.location')), 'in', locations);
  const selectLower = () => select().where(sql`lower(items.name)`, 'in', names);
  return selectLower()
    .where('name_key', 'in', [...new Set(names.map(toSortKey))])
    .unionAll(selectLower().where('name_key', 'is', null))
    .unionAll(
      select()
        .where(plainSql(name), 'in', names)
        .where(sql<boolean>`${plainSql(name)} <> lower(items.name)`),
    )
    .orderBy('number')
    .execute();
}

const ASCII = /^[\0-\x7f]*$/;

/**
 * SQL compares the names in lower case for ASCII letters alone; names that are then the same have the same sort key,
 * which has an index. So a text with other letters is looked for in
 * lower case, in capitals, and with capital first letters.
 */
function spellingsOf(texts: readonly string[]): readonly string[] {
  const spellings = new Set<string>();
  for (const text of new Set(texts)) {
    const lower = text.toLowerCase();
    spellings.add(lower);
    if (ASCII.test(text)) continue;
    const capitalized = lower.replaceAll(/\p{L}+/gu, capitalize);
    for (const one of [text, text.toUpperCase(), capitalized]) spellings.add(toLowerAscii(one));
  }
  return [...spellings];
}

function capitalize(word: string): string {
  const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
  return first.toUpperCase() + word.slice(first.length);
}

function toLowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The rows of a file that were read so far, to find those that stand for the same thing. */
export function createSeen() {
  const bySource = new Map<string, number>();
  const byKey = new Map<string, number>();
  const bare = new Map<string, number>();
  return {
    /** The line of an earlier row for the same thing, or null; then the thing is remembered with its line. */
    add(thing: Thing, line: number): number | null {
      const own = identityOf(thing);
      const key = keyOf(thing);
      const first = own === null ? byKey.get(key) : (bySource.get(own) ?? bare.get(key));
      if (first !== undefined) return first;
      if (own !== null) bySource.set(own, line);
      else bare.set(key, line);
      if (!byKey.has(key)) byKey.set(key, line);
      return null;
    },
  };
}

/** Null for a thing that has only its name and its location. */
function identityOf({ named, sources: [source] }: Thing): string | null {
  if (named !== undefined) return `${named}`;
  return source === undefined || source.kind === ROW ? null : `${source.kind}\n${source.text}`;
}
