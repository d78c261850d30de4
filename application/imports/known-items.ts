/**
 * Recognizes the items that rows of a file stand for: by the reference that an earlier import had for the item,
 * otherwise by the name and the location, whatever their case. So a file that is imported again adds nothing twice.
 *
 * Things of the same name and location with different references, such as six monitors, are different items.
 */
import { type Kysely, sql } from 'kysely';
import type { Writing } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';

/** A thing in a row of a file. */
export interface Thing {
  readonly name: string;
  readonly location: string;
  readonly reference: string | null;
}

/** Two rows or items with the same key have the same name and location. */
export function keyOf({ name, location }: Pick<Thing, 'name' | 'location'>): string {
  return JSON.stringify([name.toLowerCase(), location.toLowerCase()]);
}

/** The number of the item of each thing; null for one that is new. `except` has numbers that are no match. */
export async function findKnown(
  source: Kysely<Schema>,
  things: readonly Thing[],
  except: ReadonlyMap<number, unknown> = new Map(),
): Promise<readonly (number | null)[]> {
  const byReference = await findByReference(source, things);
  const unknown = things.filter(({ reference }) => !byReference.has(reference ?? ''));
  const byKey = Map.groupBy(
    (await findByName(source, unknown)).filter(({ number }) => !except.has(number)),
    keyOf,
  );
  return things.map((thing) => {
    const { reference } = thing;
    const known = reference === null ? undefined : byReference.get(reference);
    if (known !== undefined) return except.has(known) ? null : known;
    const alike = byKey.get(keyOf(thing)) ?? [];
    return (
      (reference === null ? alike : alike.filter(({ has }) => has === null))[0]?.number ?? null
    );
  });
}

async function findByReference(
  source: Kysely<Schema>,
  things: readonly Thing[],
): Promise<ReadonlyMap<string, number>> {
  const references = things.flatMap(({ reference }) => reference ?? []);
  if (references.length === 0) return new Map();
  const rows = await source
    .selectFrom('item_references')
    .innerJoin('items', 'items.number', 'item_references.item_number')
    .select(['reference', 'number'])
    .where('reference', 'in', references)
    .execute();
  return new Map(rows.map(({ reference, number }) => [reference, number]));
}

/** Items with such a name and such a location. `has` is a reference of the item. */
async function findByName(source: Kysely<Schema>, things: readonly Thing[]) {
  if (things.length === 0) return [];
  const names = new Set(things.flatMap(({ name }) => spellingsOf(name)));
  const locations = new Set(things.flatMap(({ location }) => spellingsOf(location)));
  return source
    .selectFrom('items')
    .leftJoin('item_references', 'item_number', 'number')
    .select(['number', 'name', 'location', 'reference as has'])
    .where(sql`lower(items.name)`, 'in', [...names])
    .where(sql`lower(items.location)`, 'in', [...locations])
    .orderBy('number')
    .execute();
}

/**
 * The index of the names is in lower case for ASCII letters alone. So a text with other letters is looked for in lower
 * case, in capitals, and with capital first letters.
 */
function spellingsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const capitalized = lower.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  return [text, lower, text.toUpperCase(), capitalized].map((one) =>
    one.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
  );
}

/** Remembers the reference of an item for later files. */
export async function rememberReference(
  transaction: Writing,
  reference: string,
  number: number,
): Promise<void> {
  await transaction
    .insertInto('item_references')
    .values({ reference, item_number: number })
    .onConflict((conflict) => conflict.column('reference').doUpdateSet({ item_number: number }))
    .execute();
}

/** The rows of a file that were read so far, to find those that stand for the same thing. */
export function createSeen() {
  const byReference = new Map<string, number>();
  const byKey = new Map<string, number>();
  const bare = new Map<string, number>();
  return {
    /** The line of an earlier row for the same thing, or null; then the thing is remembered with its line. */
    add(thing: Thing, line: number): number | null {
      const { reference } = thing;
      const key = keyOf(thing);
      const first =
        reference === null ? byKey.get(key) : (byReference.get(reference) ?? bare.get(key));
      if (first !== undefined) return first;
      if (reference !== null) byReference.set(reference, line);
      else bare.set(key, line);
      if (!byKey.has(key)) byKey.set(key, line);
      return null;
    },
  };
}
