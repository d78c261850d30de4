/**
 * Items: the things a team keeps track of. The item number is its address. The transaction that creates
 * the item takes the next number, so a create that fails leaves no gap, and numbers are never reused.
 */
import type { Expression, Kysely } from 'kysely';
import type { Awaitable } from 'seeother/middleware';
import { countUp } from '../database/counter.ts';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import type { Schema } from '../database/schema.ts';
import type { Placeholders, Statement } from '../database/statement.ts';
import { createDefinitions, type DefinitionsReader } from '../own-fields/definitions.ts';
import { NO_VALUES } from '../own-fields/own-field.ts';
import {
  createValuesOf,
  insertValues,
  selectValues,
  toOwnValues,
  type ValuesOf,
  type WithValues,
} from '../own-fields/own-values.ts';
import { toSortKey } from '../site/fold-text.ts';
import { toDay } from '../site/format.ts';
import { distinctNames, writeFacetKeys } from './facets.ts';
import { columnsOf, EMPTY_ITEM, type ItemInput } from './item-fields.ts';
import { createNumberingReader } from './item-gaps.ts';
import { createItemList, type ItemPage } from './item-list.ts';
import { createNeighbours, type FindNeighbours } from './item-neighbours.ts';
import { ALL_ITEMS, type ItemQuery } from './item-query.ts';
import { type Item, type NewItem, readItems, selectItems, toItem } from './item-rows.ts';
import { prepareWords } from './item-search.ts';
import { type StatusCounts, selectStatusCounts } from './item-status.ts';
import { createFindMatching, type FindMatching } from './matching-items.ts';
import { readPeopleNames } from './people-names.ts';
import { preparePlaces } from './place.ts';
import { prepareAddition } from './record-addition.ts';
import { createRevisionReader } from './revision.ts';
import { createSearchQueue } from './search-queue.ts';

export interface Items {
  /** Identifies the current state of all items; see revision.ts. */
  readonly revision: () => Awaitable<string>;
  /** The kinds of things and the fields that the team has defined. */
  readonly definitions: DefinitionsReader;
  /** The values of items in some fields of the team's own; in all of them by default. */
  readonly valuesOf: ValuesOf;
  /** All items, newest first, by default. */
  readonly list: (page: number, query?: Partial<ItemQuery>, size?: number) => Promise<ItemPage>;
  readonly neighbours: FindNeighbours;
  readonly findMatching: FindMatching;
  /** The counts that the list of all items shows. */
  readonly countStatuses: () => Promise<StatusCounts>;
  readonly find: (number: number) => Promise<Item | null>;
  /** The items that exist, in the order of the numbers. */
  readonly findMany: (numbers: readonly number[]) => Promise<readonly Item[]>;
  /** Creates an item and records its addition in the history. Resolves to its number. */
  readonly add: (
    transaction: KyselyTransaction,
    input: NewItem,
    author: number | null,
  ) => Promise<number>;
  /**
   * Creates an item whose addition the caller records, as `recordAdded` does for a batch. Resolves to its number; the
   * item exists after the transaction has committed. The values of its own fields are added to `values`, if the caller
   * writes those of several items at once by `insertValues`.
   */
  readonly create: (
    transaction: KyselyTransaction,
    input: NewItem,
    author: number | null,
    values?: WithValues[],
  ) => Promise<number>;
  /** The lowest and highest number in use, or null if there is no item. */
  readonly range: () => Promise<{ readonly lowest: number; readonly highest: number } | null>;
  /** For suggestions: see people-names.ts. */
  readonly peopleNames: (limit: number) => ReturnType<typeof readPeopleNames>;
  /** The highest number ever given; 0 before the first item. */
  readonly lastNumber: () => Promise<number>;
}

/** The clock tells which loans are overdue. */
export function createItems(database: Database, now = () => new Date()): Items {
  const { read } = database;
  const definitions = createDefinitions(database);
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
  const findValues = database.statement((source, { number }: ByNumber) =>
    selectValues(source).where('item_number', '=', number),
  );
  const countStatuses = database.statement(selectStatusCounts);
  const queueSearch = createSearchQueue();
  const list = createItemList(database, now, queueSearch, definitions);
  const { numbering } = createNumberingReader(database);
  const takeNumber = database.statement((source) => countUp(source, 'items'));
  const insert = database.statement(insertItem);
  const insertTags = prepareTags(database);
  const addWords = prepareWords(database);
  const addPlace = preparePlaces();
  const recordAddition = prepareAddition(database);
  const create: Items['create'] = async (transaction, input, author, values) => {
    const [taken] = await takeNumber.run(transaction, {});
    if (taken === undefined) throw new Error('Cannot take the next number: no row came back.');
    const number = taken.value;
    const tags = distinctNames(input.tags ?? []);
    const item = { ...EMPTY_ITEM, ...input, tags };
    const at = new Date().toISOString();
    await insert.run(transaction, { ...item, number, author, at, nameKey: toSortKey(item.name) });
    await insertTags(transaction, number, tags);
    if (values !== undefined) values.push({ number, own: item.own });
    else if (item.own !== NO_VALUES) await insertValues(transaction, [{ number, own: item.own }]);
    await writeFacetKeys(transaction, 'location', [item.location]);
    await writeFacetKeys(transaction, 'tag', item.tags);
    await addWords(transaction, number, item, (forgotten) =>
      addPlace(transaction, item.location, forgotten),
    );
    return number;
  };
  return {
    create,
    definitions,
    revision: createRevisionReader(database, definitions),
    valuesOf: createValuesOf(read),
    list: (page, query = {}, size) => list(page, { ...ALL_ITEMS, ...query }, size),
    neighbours: createNeighbours(database, definitions, queueSearch, now),
    findMatching: createFindMatching(database, definitions, now, queueSearch),
    async countStatuses() {
      const counts = await countStatuses.first({ today: toDay(now()) });
      return { lent: counts?.lent ?? 0, overdue: counts?.overdue ?? 0, low: counts?.low ?? 0 };
    },
    async find(number) {
      const row = await findRow.first({ number });
      if (row === null) return null;
      const item = toItem(row, await findTags.all({ number }));
      const { allFields } = await definitions.known();
      if (allFields.size === 0) return item;
      return { ...item, own: toOwnValues(await findValues.all({ number })) };
    },
    findMany: (numbers) =>
      readItems(
        read,
        numbers.map((number) => ({ number })),
      ),
    async add(transaction, input, author) {
      const number = await create(transaction, input, author);
      const at = new Date().toISOString();
      await recordAddition(transaction, { number, name: input.name, author, at });
      return number;
    },
    peopleNames: async (limit) => readPeopleNames(read, await definitions.known(), limit),
    async lastNumber() {
      return (await numbering()).highest;
    },
    async range() {
      // Two subqueries: for min and max in one query, SQLite would scan all items.
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

interface NewRow extends Omit<ItemInput, 'own'> {
  readonly nameKey: string;
  readonly number: number;
  readonly author: number | null;
  readonly at: string;
}

function insertItem(source: Kysely<Schema>, item: Placeholders<NewRow>) {
  return source.insertInto('items').values({
    number: item.number,
    ...columnsOf(item),
    kind: item.kind,
    name_key: item.nameKey,
    created_at: item.at,
    created_by: item.author,
    updated_at: item.at,
    updated_by: item.author,
    version: 1,
  });
}

/** The tags by their position. */
type TagValues = { readonly number: number } & { readonly [position: number]: string };

/** A statement for each number of tags. */
function prepareTags(database: Database) {
  const statements: Statement<TagValues, unknown>[] = [];
  return async (
    transaction: KyselyTransaction,
    number: number,
    tags: readonly string[],
  ): Promise<void> => {
    if (tags.length === 0) return;
    statements[tags.length] ??= database.statement((source, values: Placeholders<TagValues>) =>
      source.insertInto('item_tags').values(
        tags.map((_, position) => ({
          item_number: values.number,
          position,
          tag: values[position] as Expression<string>,
        })),
      ),
    );
    await statements[tags.length]?.run(transaction, { number, ...tags });
  };
}
