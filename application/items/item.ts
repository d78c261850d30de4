/**
 * Items: the things a team keeps track of. Each has a number that is its address: counted up in the
 * transaction that creates the item, without a gap, and never used again.
 */
import type { Kysely } from 'kysely';
import type { Database, Writing } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders } from '../database/statement.ts';
import { createEditionReader } from './edition.ts';
import { createItemList, EVERYTHING, type ItemPage, type Selection } from './item-list.ts';
import { type Item, type ItemInput, selectItems, toItem } from './item-rows.ts';
import { prepareItemNumber, prepareWords } from './item-search.ts';

export interface Items {
  /** Names the state of all that follows; see edition.ts. */
  readonly edition: () => Promise<string>;
  /** Everything, newest first, unless the selection says otherwise. */
  readonly list: (page: number, selection?: Partial<Selection>) => Promise<ItemPage>;
  readonly find: (number: number) => Promise<Item | null>;
  /** The number of the new item, which is there once the transaction is. */
  readonly create: (
    transaction: Writing,
    input: ItemInput,
    author: number | null,
  ) => Promise<number>;
  /** The lowest and highest number in use, or null when there is no item. */
  readonly range: () => Promise<{ readonly lowest: number; readonly highest: number } | null>;
}

export function createItems(database: Database): Items {
  const { read } = database;
  type ByNumber = Placeholders<{ readonly number: number }>;
  const findRow = database.statement((source, { number }: ByNumber) =>
    selectItems(source).where('items.number', '=', number),
  );
  const findTags = database.statement((source, { number }: ByNumber) =>
    source
      .selectFrom('item_tags')
      .select('tag')
      .where('item_number', '=', number)
      .orderBy('position'),
  );
  const list = createItemList(database);
  const takeNumber = prepareItemNumber(database);
  const insert = database.statement(insertItem);
  const addWords = prepareWords(database);
  return {
    edition: createEditionReader(database),
    list: (page, selection = {}) => list(page, { ...EVERYTHING, ...selection }),
    async find(number) {
      const row = await findRow.first({ number });
      return row === null ? null : toItem(row, await findTags.all({ number }));
    },
    async create(transaction, input, author) {
      const taken = await takeNumber(transaction);
      const { number } = taken;
      const { tags, ...columns } = input;
      const at = new Date().toISOString();
      await insert.run(transaction, { number, ...columns, author, at });
      if (tags.length > 0) await insertTags(transaction, number, tags);
      await addWords(transaction, taken, input);
      return number;
    },
    async range() {
      // One question each: SQLite answers both together by looking at every item.
      const { lowest, highest } = await read
        .selectNoFrom((one) => [
          one
            .selectFrom('items')
            .select((row) => row.fn.min('number').as('least'))
            .as('lowest'),
          one
            .selectFrom('items')
            .select((row) => row.fn.max('number').as('most'))
            .as('highest'),
        ])
        .executeTakeFirstOrThrow();
      return lowest === null || highest === null ? null : { lowest, highest };
    },
  };
}

interface NewItem extends Omit<ItemInput, 'tags'> {
  readonly number: number;
  readonly author: number | null;
  readonly at: string;
}

function insertItem(source: Kysely<Schema>, item: Placeholders<NewItem>) {
  return source.insertInto('items').values({
    number: item.number,
    name: item.name,
    description: item.description,
    quantity: item.quantity,
    location: item.location,
    created_at: item.at,
    created_by: item.author,
    updated_at: item.at,
    updated_by: item.author,
    version: 1,
  });
}

async function insertTags(
  transaction: Writing,
  number: number,
  tags: readonly string[],
): Promise<void> {
  const rows = tags.map((tag, position) => ({ item_number: number, position, tag }));
  await transaction.insertInto('item_tags').values(rows).execute();
}
