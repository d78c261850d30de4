/** How the engines answer the queries of each page on a table that is large: never by reading all of it. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Database } from '../database/kysely.ts';
import { explainQueries, type Plan } from '../testing/explain-queries.ts';
import { analyze, fillItems } from '../testing/fill-items.ts';
import { fillOwnFields } from '../testing/fill-own-fields.ts';
import { openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { createItems, type Items } from './item.ts';
import { createNumberingReader } from './item-gaps.ts';
import { ORDERS } from './item-order.ts';
import { ALL_ITEMS } from './item-query.ts';
import { STATUSES } from './item-status.ts';

const COUNT = 20_000;
const OWN = { how: '', text: '', from: '', to: '' } as const;

/** What people look at, and what it asks the database. */
const PAGES: Readonly<Record<string, (items: Items) => unknown>> = {
  'the first page': (items) => items.list(1),
  'a page in the middle': (items) => items.list(COUNT / 40),
  'the last page': (items) => items.list(COUNT),
  ...Object.fromEntries(
    ORDERS.flatMap((order) => [
      [`the first page by ${order}`, (items: Items) => items.list(1, { order })],
      [`the last page by ${order}`, (items: Items) => items.list(COUNT, { order })],
    ]),
  ),
  'one item': (items) => items.find(COUNT / 2),
  'an item that is not there': async (items) => [await items.find(COUNT + 1), await items.range()],
  ...Object.fromEntries(
    ORDERS.map((order) => [
      `the neighbours by ${order}`,
      (items: Items) => items.neighbours(COUNT / 2, { ...ALL_ITEMS, order }),
    ]),
  ),
  'the neighbours in a location, by name': (items) =>
    items.neighbours(COUNT / 2, { ...ALL_ITEMS, location: 'office, shelf 0', order: 'name' }),
  'a search for a common word': (items) => items.list(1, { search: 'thing' }),
  'a search for a rare word': (items) => items.list(1, { search: 'rare' }),
  'a search for two words': (items) => items.list(1, { search: 'rare thing' }),
  'a search for no word': (items) => items.list(1, { search: 'xylophone' }),
  'a search by name': (items) => items.list(1, { search: 'batch 77', order: 'name' }),
  'a tag': (items) => items.list(1, { tag: 'batch 3' }),
  'a location': (items) => items.list(1, { location: 'Office, shelf 0' }),
  'a location with others inside it': (items) => items.list(1, { location: 'office' }),
  'a later page of it': (items) => items.list(100, { location: 'office' }),
  'the links to what is lent, overdue or low': (items) => items.countStatuses(),
  'the lent items': (items) => items.list(1, { show: 'lent' }),
  'the overdue items, by name': (items) => items.list(1, { show: 'overdue', order: 'name' }),
  'the items that run low, in a location': (items) =>
    items.list(1, { show: 'low', location: 'Office, shelf 0' }),
  'the items that run low': (items) => items.list(1, { show: 'low' }),
  'a choice of an own field': (items) => items.list(1, { own: [{ ...OWN, field: 1, text: 'c1' }] }),
  'a choice, by another own field': (items) =>
    items.list(1, { own: [{ ...OWN, field: 1, text: 'c1' }], order: 'own_2' }),
  'a range of an own field': (items) => items.list(1, { own: [{ ...OWN, field: 2, from: '5' }] }),
  'a range, and a tag': (items) =>
    items.list(1, { own: [{ ...OWN, field: 2, from: '5' }], tag: 'batch 3' }),
  'all by an own field': (items) => items.list(1, { order: 'own_2' }),
  'the last page by an own field': (items) => items.list(COUNT, { order: '-own_2' }),
  'the neighbours by an own field': (items) =>
    items.neighbours(COUNT / 2, { ...ALL_ITEMS, order: 'own_2' }),
  'a kind of things': (items) => items.list(1, { kind: '1' }),
  'a tag, a location and a search': (items) =>
    items.list(1, { tag: 'batch 3', location: 'Office, shelf 0', search: 'rare' }),
};

/**
 * A step that reads a table from end to end. A walk along the index of an order is none: it ends
 * where the limit says.
 */
const WHOLE_TABLE = {
  sqlite:
    /^SCAN (items|item_tags|item_values)(?! USING COVERING INDEX items_by_| USING INDEX items_by_(lent|low))|^SCAN item_words .* 0:/,
  postgres: /Seq Scan on (items|item_tags|item_words|item_values)/,
};

function scansIn({ engine }: Database, plans: readonly Plan[]): readonly string[] {
  assert.ok(plans.length > 0, 'nothing was asked');
  return plans.flatMap(({ sql: query, steps }) =>
    steps.filter((step) => WHOLE_TABLE[engine].test(step)).map((step) => `${step} in: ${query}`),
  );
}

/** A look-up of one item among all values of a field, or in a range of them. */
const PER_ITEM = /SEARCH item_values (?:EXISTS )?USING .*item_values_by_/;

/** Words that few items have together are looked up, not looked for: this step is there. */
const RARE = ['rare', 'battery lamp'];
const LOOK_UP = {
  sqlite: /SCAN item_words VIRTUAL TABLE INDEX \d+:M/,
  postgres: /Bitmap Index Scan on item_words_words_idx/,
};

/**
 * SQLite reads a page of the newest from the index. PostgreSQL plans to find all matches, and ends at the page. Both
 * count the matches only for a tag, without an order on SQLite.
 */
const ONE_FACET = [
  { tag: 'batch 3' },
  { location: 'Office, shelf 0' },
  { location: 'office' },
] as const;

/** A partial index has an entry for each item that the filter shows, and for no other. */
const FILTERS = { lent: 'items_by_lent', overdue: 'items_by_due', low: 'items_by_low' };

/** What a page would read whole without its index. */
const LOSSES = {
  items_by_location: 'a location',
  items_by_name_key: 'the first page by name',
  items_by_outermost_location: 'a location with others inside it',
  items_by_quantity: 'the last page by quantity',
  items_by_updated_at: 'the first page by changed',
  item_tags_by_tag: 'a tag',
};

testOnEngines('no page of items scans a table, and the test detects a scan', async (t) => {
  const database = await openTestDatabase(t);
  await fillItems(database, COUNT);
  await fillOwnFields(database);
  // As PostgreSQL does by itself later. Before that it expects an index with all columns to cost as much as the table.
  if (database.engine === 'postgres')
    await sql`vacuum items, item_tags, item_values`.execute(database.read);
  const explained = explainQueries(database);
  const items = createItems(explained);
  for (const [name, show] of Object.entries(PAGES)) {
    await show(items);
    assert.deepEqual(scansIn(database, await explained.takePlans()), [], name);
  }

  for (const search of RARE) {
    await items.list(1, { search });
    const searches = (await explained.takePlans()).filter(({ sql }) => sql.includes('way0'));
    // SQLite looks in the names first, and then, after the words that contain it, anywhere.
    assert.equal(searches.length, database.engine === 'sqlite' ? 2 : 1);
    for (const { steps } of searches)
      assert.match(steps.join('\n'), LOOK_UP[database.engine], search);
  }

  for (const query of ONE_FACET) {
    await items.list(1, query);
    const [, filter] = await explained.takePlans();
    const steps = filter?.steps.join('\n') ?? '';
    if (database.engine === 'sqlite') assert.doesNotMatch(steps, /MATERIALIZE|B-TREE/);
    else assert.match(steps, /CTE found/);
    assert.equal(filter?.sql.includes('count(*)'), 'tag' in query);
  }

  // An index has the order, so that only the page is read.
  for (const order of ['own_2', '-own_2'] as const) {
    await items.list(1, { order });
    const plans = await explained.takePlans();
    const { steps = [] } = plans.find(({ sql }) => /from item_values/.test(sql)) ?? {};
    assert.match(steps.join('\n'), /item_values_by_number/);
    assert.doesNotMatch(steps.join('\n'), /B-TREE|Sort/);
  }

  // A page of the range is read from the index of the order, without looking up the values of the others.
  const range = [{ ...OWN, field: 2, from: '5', to: '60000' }];
  for (const own of [range, [{ ...OWN, field: 2, how: 'any' as const }]]) {
    await items.list(1, { own, order: '-own_2' });
    const ranged = (await explained.takePlans()).filter(({ sql }) => /from item_values/.test(sql));
    assert.equal(ranged.length, 1);
    const steps = ranged[0]?.steps.join('\n') ?? '';
    assert.match(steps, /item_values_by_number/);
    assert.doesNotMatch(steps, /B-TREE|Sort/);
  }

  // The other of two filters looks at the values of one item after the other.
  if (database.engine === 'sqlite')
    for (const query of [{ tag: 'tools' }, { kind: '1' }]) {
      await items.list(1, { ...query, own: range });
      const plans = (await explained.takePlans()).filter(({ sql }) => /as narrowed/.test(sql));
      assert.equal(plans.length, 1);
      assert.match(plans[0]?.steps.join('\n') ?? '', /item_values EXISTS/);
      assert.doesNotMatch(plans[0]?.steps.join('\n') ?? '', PER_ITEM);
    }

  for (const status of STATUSES) {
    await items.list(1, { show: status });
    const [filter] = await explained.takePlans();
    assert.match(filter?.steps.join('\n') ?? '', new RegExp(`${FILTERS[status]}\\b`), status);
  }

  const done = new Error('taken back');
  const losing = database.write(async (transaction) => {
    const poorer = explainQueries({ ...database, read: transaction });
    for (const [index, name] of Object.entries(LOSSES)) {
      await sql`drop index ${sql.ref(index)}`.execute(transaction);
      await PAGES[name]?.(createItems(poorer));
      assert.notDeepEqual(scansIn(database, await poorer.takePlans()), [], name);
    }
    throw done;
  });
  await assert.rejects(losing, done);
});

/** A sort, or a look at all gaps. */
const ALL_GAPS = { sqlite: /SCAN item_gaps|B-TREE FOR GROUP/, postgres: /Seq Scan on item_gaps/ };

testOnEngines('the place of a page among many gaps is read by ranges of their key', async (t) => {
  const database = await openTestDatabase(t);
  const gaps = Array.from({ length: 1_000 }, (_, block) => ({ block, gone: 50 }));
  await database.write(async (transaction) => {
    await transaction.insertInto('item_gaps').values(gaps).execute();
    await analyze(transaction, ['item_gaps']);
  });
  const explained = explainQueries(database);
  await createNumberingReader(explained).findPosition({ highest: 1e6, gone: 50_000 }, 475_010);
  const plans = await explained.takePlans();
  assert.equal(plans.length, 2);
  for (const { sql: query, steps } of plans)
    assert.doesNotMatch(steps.join('\n'), ALL_GAPS[database.engine], query);
});
