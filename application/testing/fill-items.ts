/**
 * Adds any number of items for a measurement in one go, without the model. The number of an item
 * determines its fields, so a test knows which items match.
 */
import { sql } from 'kysely';
import { type Database, isSqlite, type KyselyTransaction } from '../database/kysely.ts';
import { EMPTY_ITEM, type ItemInput } from '../items/item-fields.ts';
import { addWords } from '../items/item-search.ts';
import { insertLoans, type Loan, toLoanColumns } from '../items/loan.ts';
import { toSortKey } from '../site/fold-text.ts';

const THINGS = ['drill', 'cable', 'projector', 'label printer', 'folding table', 'first-aid kit'];
const ROOMS = ['Office', 'Workshop', 'Meeting room', 'Kitchen', 'Cellar', 'Garage', 'Attic'];
const WORDS =
  'battery charged checked damaged heavy lamp old paper red remote repaired replaced shelf spare steel'.split(
    ' ',
  );

/** "thing" is in every name, "rare" in one of 50,000, "rare7" in the seventh of those only. */
export function sampleItem(number: number): ItemInput {
  const pick = <T>(from: readonly T[], step: number) => from[(number * step) % from.length] as T;
  const rare = number % 50_000 === 25 ? ` rare${Math.floor(number / 50_000)}` : '';
  const words = Array.from({ length: 8 }, (_, index) => pick(WORDS, index * index + 1)).join(' ');
  return {
    ...EMPTY_ITEM,
    name: `Thing ${number}: ${pick(THINGS, 7)}${rare}`,
    description: `${words}, serial number ${(number * 7_919).toString(36)}`,
    quantity: (number * 31) % 1_000,
    location: `${pick(ROOMS, 3)}, shelf ${(number * 17) % 90}`,
    tags: number % 3 === 0 ? ['tools', `batch ${Math.floor(number / 100)}`] : [],
  };
}

const BATCH = 400;
/**
 * Items in one transaction. The triggers update the same few rows again and again, and PostgreSQL cannot
 * remove the old versions of a row before the transaction ends.
 */
export const ITEMS_AT_ONCE = 20_000;

/** Fills an empty database; the items are numbered from 1. */
export async function fillItems(database: Database, count: number, version = 1): Promise<void> {
  for (let first = 1; first <= count; first += ITEMS_AT_ONCE)
    await fillRange(database, first, Math.min(count, first + ITEMS_AT_ONCE - 1), version);
  await database.write(async (transaction) => {
    await transaction.insertInto('counters').values({ name: 'items', value: count }).execute();
    await analyze(transaction, ['items', 'item_tags', 'item_words', 'item_vocabulary']);
  });
}

/** After many inserts: PostgreSQL updates its statistics by itself only a minute later. */
export async function analyze(
  transaction: KyselyTransaction,
  tables: readonly string[],
): Promise<void> {
  if (isSqlite(transaction)) return;
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(transaction);
}

/** Behind other items, the counter aside. */
export async function fillRange(
  database: Database,
  from: number,
  to: number,
  version: number,
): Promise<void> {
  await database.write(async (transaction) => {
    for (let first = from; first <= to; first += BATCH) {
      const size = Math.min(BATCH, to - first + 1);
      const items = Array.from({ length: size }, (_, index) => ({
        number: first + index,
        ...sampleItem(first + index),
      }));
      const rows = items.map(({ tags: _, own: __, ...columns }) => ({
        ...columns,
        ...stampOf(columns),
        name_key: toSortKey(columns.name),
        version,
      }));
      await transaction.insertInto('items').values(rows).execute();
      const lent = items.map(({ number }) => ({ number, loans: loansOf(number) }));
      await insertLoans(transaction, lent);
      const tags = items.flatMap(({ number, tags }) =>
        tags.map((tag, position) => ({ item_number: number, position, tag })),
      );
      if (tags.length > 0) await transaction.insertInto('item_tags').values(tags).execute();
      const searched = items.map((item) => ({ ...item, loans: loansOf(item.number) }));
      await addWords(transaction, searched);
    }
  });
}

function minuteOf(number: number): string {
  return new Date(Date.UTC(2020, 0, 1, 0, number)).toISOString();
}

function loansOf(number: number): readonly Loan[] {
  if (number % 1_000 !== 7) return [];
  const until = number % 2_000 === 7 ? '2020-02-01' : null;
  return [{ to: 'Bo', until, at: minuteOf(number), quantity: sampleItem(number).quantity }];
}

/** Items are added one a minute, and changed up to a day later. One of a thousand is lent or runs low. */
function stampOf({ number }: { readonly number: number }) {
  return {
    created_at: minuteOf(number),
    created_by: null,
    updated_at: minuteOf(number + ((number * 13) % 1_000)),
    updated_by: null,
    ...toLoanColumns(loansOf(number)),
    minimum: number % 1_000 === 8 ? 1_000 : null,
  };
}
