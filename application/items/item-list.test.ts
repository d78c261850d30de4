import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import { fillItems } from '../testing/fill-items.ts';
import {
  addItem,
  openTestDatabase,
  type TestDatabase,
  testOnEngines,
} from '../testing/open-test-database.ts';
import { createItemExport } from './export/item-export.ts';
import { createItems } from './item.ts';
import { MAX_FOUND, MAX_RESULTS } from './item-matches.ts';
import { ORDERS } from './item-order.ts';
import { ALL_ITEMS, type ItemQuery } from './item-query.ts';
import type { NewItem } from './item-rows.ts';

const THING: NewItem = { name: 'Thing', description: '', quantity: 1, location: '', tags: [] };

async function openItems(t: TestContext, things: readonly Partial<NewItem>[]) {
  const database = await openTestDatabase(t);
  for (const thing of things) await addItem(database, { ...THING, ...thing });
  const items = createItems(database);
  const list = async (query: Partial<ItemQuery>, page = 1) =>
    (await items.list(page, query)).items.map(({ number }) => number);
  return { database, items, list };
}

testOnEngines('a search finds words in name, description, location and tags', async (t) => {
  const { list } = await openItems(t, [
    { name: 'Cordless drill' },
    { description: 'for the drill\nin the box' },
    { location: 'Drill cupboard' },
    { tags: ['tools', 'drill bits'] },
    { name: 'Saw' },
  ]);
  assert.deepEqual(await list({ search: 'drill' }), [1, 4, 3, 2]);
  assert.deepEqual(await list({ search: 'bits' }), [4]);
});

testOnEngines('every word of a search begins a word of the item or is inside one', async (t) => {
  const { list } = await openItems(t, [
    { name: 'Cordless drill', tags: ['tools'] },
    { name: 'Drill stand' },
    { name: 'Mandrill' },
    { name: 'USB cable 3 m', location: 'A-12/3' },
  ]);
  assert.deepEqual(await list({ search: 'dri' }), [2, 1, 3]);
  assert.deepEqual(await list({ search: 'dr' }), [2, 1], 'two letters are a beginning');
  assert.deepEqual(await list({ search: 'dless ill' }), [1]);
  assert.deepEqual(await list({ search: 'tool dri' }), [1]);
  assert.deepEqual(await list({ search: 'cord stand' }), []);
  assert.deepEqual(await list({ search: 'a-12' }), [4]);
  assert.deepEqual(await list({ search: 'cablex' }), []);
  assert.deepEqual(await list({ search: 'cordlessly' }), []);
});

testOnEngines('a search lists the best first, on every page', async (t) => {
  const names = ['Akkuschrauber', 'Schrauber', 'Kabeltrommel', 'Schraubendreher', 'Holzschraube'];
  const { database, items, list } = await openItems(t, [
    ...Array.from({ length: 40 }, (_, index) => ({ name: names[index % 5] as string })),
    { name: 'Kabelbinder' },
    { description: 'für den Akkuschrauber', location: 'Werkstatt' },
    { location: 'Kabeltrommelwagen', tags: ['Schlagschrauber'] },
  ]);
  const numbers = Array.from({ length: 43 }, (_, index) => 43 - index);
  const begins = numbers.filter((one) => one <= 40 && [2, 4].includes(one % 5));
  const contains = numbers.filter((one) => one <= 40 && [0, 1].includes(one % 5));
  const all = [...begins, ...contains, 43, 42];
  const query = { ...ALL_ITEMS, search: 'schraub' };
  assert.deepEqual([await list(query), await list(query, 2)], [all.slice(0, 20), all.slice(20)]);
  assert.equal((await items.list(1, query)).itemCount, 34);
  assert.deepEqual(await items.findMatching(query), all);
  const files = await createItemExport(database)(query);
  const exported = (await Array.fromAsync(files)).flat().map(({ number }) => number);
  assert.deepEqual(exported, all);
  for (const [index, number] of all.entries())
    assert.deepEqual(await items.neighbours(number, query), {
      previous: all[index - 1] ?? null,
      next: all[index + 1] ?? null,
    });
  assert.deepEqual(
    await list({ ...query, order: 'oldest' }, 2),
    all.toSorted((a, b) => a - b).slice(20),
  );
  assert.deepEqual(await list({ search: 'schrauber', location: 'Werkstatt' }), [42]);
  assert.deepEqual((await list({ search: 'kabel trommel' })).slice(0, 2), [38, 33]);
});

testOnEngines('a search with one slip finds nothing, but a similar one is suggested', async (t) => {
  const { items } = await openItems(t, [
    { name: 'Kabeltrommel', tags: ['10 Meter'] },
    { name: 'Küche', location: 'Дрель' },
  ]);
  const suggest = async (search: string, filter: Partial<ItemQuery> = {}) => {
    const { itemCount, suggestion } = await items.list(1, { ...filter, search });
    assert.equal(itemCount, 0, search);
    return suggestion;
  };
  for (const slip of [
    'kabeltromel',
    'kabletrommel',
    'kabelltrommel',
    'kbeltrommel',
    'kabeltrommrl',
  ])
    assert.equal(await suggest(slip), 'Kabeltrommel', slip);
  assert.equal(
    await suggest('10 kabeltrmm'),
    '10 Kabeltrommel',
    'a word that was not typed to its end',
  );
  assert.equal(await suggest('kühce'), 'Küche');
  assert.equal(await suggest('держль'), undefined);
  assert.equal(await suggest('дерль'), 'Дрель');
  assert.equal(await suggest('kabeltromel', { location: 'Küche' }), undefined);
  assert.equal(await suggest('kabeltromel xylophone'), undefined, 'two words are not there');
  assert.equal(await suggest('kabeltrommel küche'), undefined, 'each is there');
  assert.equal((await items.list(1, { search: 'kabel' })).suggestion, undefined);
});

testOnEngines('every spelling of an umlaut finds the others', async (t) => {
  const things = ['Küche', 'kueche', 'Kuche', 'Kjøkken', 'Œuvre', 'Łódź', 'Shoe', 'Shovel'];
  const { list } = await openItems(
    t,
    things.map((name) => ({ name })),
  );
  assert.deepEqual(await list({ search: 'kueche' }), [2, 1]);
  for (const search of ['kuche', 'Küche', 'KU\u0308CHE'])
    assert.deepEqual(await list({ search }), [3, 2, 1]);
  for (const search of ['kjokken', 'kjoekken', 'KJØK'])
    assert.deepEqual(await list({ search }), [4]);
  assert.deepEqual(await list({ search: 'oeuv' }), [5]);
  assert.deepEqual(await list({ search: 'lodz' }), [6]);
  assert.deepEqual(await list({ search: 'shoe' }), [7]);
});

testOnEngines('a search is text, whatever it looks like', async (t) => {
  const { list } = await openItems(t, [{ name: 'Salt and pepper' }, { name: 'NOT OR NEAR' }]);
  assert.deepEqual(await list({ search: 'and' }), [1]);
  assert.deepEqual(await list({ search: 'not' }), [2]);
  assert.deepEqual(await list({ search: 'near or' }), [2]);
  for (const search of ['"', "'", '*', 'words:salt', 'salt | near', '!', '\\', ':*', '\u0000', '%'])
    assert.deepEqual(await list({ search }), [], search);
  assert.deepEqual(await list({ search: "salt' & (pep*" }), [1]);
  const words = Array.from({ length: 5_000 }, (_, index) => `w${index}`);
  assert.deepEqual(await list({ search: words.join(' ') }), []);
  assert.deepEqual(await list({ search: 'salt '.repeat(5_000) }), [1]);
  assert.deepEqual(await list({ search: 'x'.repeat(15_000) }), []);
});

testOnEngines(
  'a search uses six words, of which none is a letter alone, and says when others are ignored',
  async (t) => {
    const { items, list } = await openItems(t, [
      { name: 'USB cable 3 m', description: 'one two three four five six' },
      { name: 'USB cable 5 m', description: 'one two three four five seven' },
      { name: '本棚' },
    ]);
    const isShortened = async (search: string) =>
      (await items.list(1, { search })).isSearchShortened;
    assert.deepEqual(await list({ search: 'usb cable 3 m' }), [1]);
    assert.equal(await isShortened('usb cable 3 m'), true);
    assert.deepEqual(await list({ search: 'one two three four five six' }), [1]);
    assert.equal(await isShortened('one two three four five six six'), false);
    assert.deepEqual(await list({ search: 'usb one two three four five six' }), [2, 1]);
    assert.equal(await isShortened('usb one two three four five six'), true);
    for (const [search, found] of [
      ['u', []],
      ['u c 3 m', [1]],
    ] as const) {
      assert.deepEqual(await list({ search }), found);
      assert.equal(await isShortened(search), true);
    }
    assert.deepEqual(await list({ search: '本' }), [3], 'a character that is a word');
    assert.equal(await isShortened('本'), false);
    assert.equal(await isShortened(''), false);
  },
);

testOnEngines('a tag and a location are found in any case', async (t) => {
  const { list } = await openItems(t, [
    { tags: ['tools', 'red'], location: 'Cellar' },
    { tags: ['Tools'], location: 'cellar' },
    { tags: ['tools', 'TOOLS', 'Ärger'], location: 'Cellar, left' },
    { location: 'Straße, hinten' },
    { location: 'STRASSE' },
  ]);
  assert.deepEqual(await list({ tag: 'tools' }), [3, 2, 1]);
  assert.deepEqual(await list({ tag: 'toOLs', location: 'cellar, LEFT' }), [3]);
  assert.deepEqual(await list({ tag: 'ärger' }), [3]);
  assert.deepEqual(await list({ tag: 'arger' }), []);
  assert.deepEqual(await list({ tag: 'tool' }), []);
  assert.deepEqual(await list({ location: 'straße' }), [5, 4]);
});

testOnEngines('a location has what is inside it, and nothing else', async (t) => {
  const locations = ['Office', 'Office, drawer 2', 'office,drawer 3', 'Office2', 'Office-left'];
  const { items, list } = await openItems(t, [
    ...locations.map((location) => ({ location })),
    { location: 'Office drawer' },
    { location: 'Home Office, drawer 2' },
    { location: 'Office, drawer 2, box' },
    { tags: ['office', 'office, drawer 2'] },
  ]);
  assert.deepEqual(await list({ location: 'OFFICE' }), [8, 3, 2, 1]);
  assert.deepEqual(await list({ location: 'Office, drawer 2' }), [8, 2]);
  assert.deepEqual(await list({ location: 'Office, drawer' }), []);
  assert.deepEqual(await list({ tag: 'office' }), [9]);
  assert.deepEqual(await list({ location: 'office', order: 'oldest' }), [1, 2, 3, 8]);
  const found = await items.list(1, { location: 'office', search: 'drawer' });
  assert.deepEqual(
    found.items.map(({ number }) => number),
    [8, 3, 2],
  );
  for (const location of ['%', '_ffice', 'Office,', ',', '[O]ffice', 'Office*'])
    assert.deepEqual(await list({ location }), [], location);
});

testOnEngines('several conditions must all be met', async (t) => {
  const { items, list } = await openItems(t, [
    { name: 'Red drill', tags: ['tools'], location: 'Cellar' },
    { name: 'Blue drill', tags: ['tools'], location: 'Attic' },
    { name: 'Drill', tags: [], location: 'Cellar' },
  ]);
  assert.deepEqual(await list({ search: 'drill', tag: 'tools' }), [2, 1]);
  assert.deepEqual(await list({ search: 'drill', location: 'Cellar' }), [3, 1]);
  assert.deepEqual(await list({ tag: 'tools', location: 'Cellar' }), [1]);
  assert.deepEqual(await list({ search: 'blue', tag: 'tools', location: 'Cellar' }), []);
  const found = await items.list(7, { search: 'drill', tag: 'tools', order: 'name' });
  const { itemCount, page, pageCount, isTruncated } = found;
  assert.deepEqual([itemCount, page, pageCount, isTruncated], [2, 1, 1, false]);
  assert.deepEqual(
    found.items.map(({ name }) => name),
    ['Blue drill', 'Red drill'],
  );
});

testOnEngines('the list has eight orders, with a filter and without', async (t) => {
  const { database, list } = await openItems(t, [
    { name: 'banana', quantity: 3, tags: ['x'] },
    { name: 'Apple', quantity: 20, tags: ['x'] },
    { name: 'cherry', quantity: 3, tags: ['x'] },
  ]);
  await database.write(async (transaction) => {
    for (const [number, day] of [
      [1, '05'],
      [2, '07'],
      [3, '06'],
    ] as const)
      await transaction
        .updateTable('items')
        .set({ updated_at: `2026-01-${day}T00:00:00.000Z` })
        .where('number', '=', number)
        .execute();
  });
  const expected = {
    newest: [3, 2, 1],
    oldest: [1, 2, 3],
    name: [2, 1, 3],
    '-name': [3, 1, 2],
    quantity: [1, 3, 2],
    '-quantity': [2, 3, 1],
    changed: [1, 3, 2],
    '-changed': [2, 3, 1],
  };
  for (const order of ORDERS) {
    assert.deepEqual(await list({ order }), expected[order], order);
    assert.deepEqual(await list({ order, tag: 'x' }), expected[order], `${order} of a tag`);
  }
});

testOnEngines('pages follow each other in every order without a gap or a double', async (t) => {
  const { items, list } = await openItems(
    t,
    Array.from({ length: 45 }, (_, index) => ({ name: `no${index % 7}`, quantity: index % 3 })),
  );
  for (const order of ORDERS)
    for (const search of ['', 'no']) {
      const query = { order, search };
      const pages = [];
      for (const page of [1, 2, 3]) pages.push(await list(query, page));
      assert.deepEqual(
        pages.map(({ length }) => length),
        [20, 20, 5],
      );
      assert.equal(new Set(pages.flat()).size, 45, order);
      const last = await items.list(1_000_000_007, query);
      assert.deepEqual([last.page, last.pageCount, last.itemCount], [3, 3, 45]);
      assert.deepEqual(
        last.items.map(({ number }) => number),
        pages[2],
      );
      const large = await items.list(2, query, 40);
      assert.deepEqual([large.page, large.pageCount, large.items.length], [2, 2, 5], order);
    }
});

testOnEngines('after deletes, pages stay full, and deleted items are not found', async (t) => {
  const things = Array.from({ length: 50 }, () => ({ tags: ['x'], location: 'Cellar' }));
  const { database, items, list } = await openItems(t, things);
  await database.write((transaction) =>
    sql`delete from items where number % 5 = 0 or number > 46`.execute(transaction),
  );
  const left = Array.from({ length: 46 }, (_, index) => 46 - index).filter((one) => one % 5 !== 0);
  for (const filter of [{}, { search: 'thing' }, { tag: 'x' }, { location: 'Cellar' }]) {
    assert.deepEqual(await list(filter), left.slice(0, 20));
    assert.deepEqual(await list(filter, 2), left.slice(20));
    assert.equal((await items.list(1, filter)).itemCount, left.length);
  }
  assert.deepEqual(await list({ order: 'oldest' }, 2), left.toReversed().slice(20));
});

testOnEngines(
  'all pages of all items, but no more than 10,000 of a filter or an order, and 1,000 of a search',
  async (t) => {
    const { database, items } = await openItems(t, []);
    const found = MAX_FOUND + 30;
    const count = found + MAX_RESULTS + 10;
    await fillItems(database, found);
    await addToOffice(database, found, count);
    const everything = await items.list(1_000_000);
    assert.deepEqual([everything.page, everything.itemCount], [Math.ceil(count / 20), count]);
    assert.deepEqual(everything.items.at(-1)?.number, 1);
    assert.equal(everything.isTruncated, false);
    const last = async (query: Partial<ItemQuery>) => {
      const { page, itemCount, isTruncated, items: listed } = await items.list(1_000_000, query);
      assert.equal(listed.length, 20);
      return [page, itemCount, isTruncated];
    };
    assert.deepEqual(await last({ search: 'thing' }), [50, MAX_FOUND, true]);
    assert.deepEqual(await last({ search: 'thing', order: 'quantity' }), [50, MAX_FOUND, true]);
    const newest = await items.list(50, { search: 'thing' });
    assert.equal(newest.items.at(-1)?.number, found - MAX_FOUND + 1);
    assert.deepEqual(await last({ order: 'name' }), [500, count, true]);
    assert.deepEqual(await last({ tag: 'box' }), [500, MAX_RESULTS, true]);

    // The number of items in a location is known without counting them.
    const there = MAX_RESULTS + 10 + Math.floor(found / 7);
    assert.deepEqual(await last({ location: 'office' }), [500, there, true]);
    assert.deepEqual(await last({ location: 'office', order: 'name' }), [500, there, true]);
    assert.equal((await items.list(1, { location: 'office, left' })).itemCount, 5_005);
    await database.write((transaction) =>
      sql`update items set location = 'OFFICE, right' where number = 1`.execute(transaction),
    );
    assert.deepEqual(await last({ location: 'office' }), [500, there + 1, true]);
    const { items: oldest } = await items.list(500, { location: 'office' });
    assert.equal(oldest.at(-1)?.number, count - MAX_RESULTS + 1);
  },
);

/** Adds items in one statement: an update would leave a table that PostgreSQL reads otherwise. */
async function addToOffice({ write }: TestDatabase, from: number, to: number): Promise<void> {
  const [first, last] = [sql.lit(from + 1), sql.lit(to)];
  await write(async (transaction) => {
    await sql`insert into items
        (number, name, description, quantity, location, created_at, updated_at, version)
      with recursive numbers (number) as
        (select ${first} union all select number + 1 from numbers where number < ${last})
      select number, 'Box', '', 1, case when number % 2 = 0 then 'Office' else 'Office, left' end,
        '2026', '2026', 1 from numbers`.execute(transaction);
    await sql`insert into item_tags (item_number, position, tag)
      select number, 0, 'box' from items where number >= ${first}`.execute(transaction);
    await transaction.updateTable('counters').set({ value: to }).execute();
  });
}
