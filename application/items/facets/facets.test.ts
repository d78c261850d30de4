import assert from 'node:assert/strict';
import { sql } from 'kysely';
import {
  addAccount,
  addItem,
  openTestDatabase,
  type TestDatabase,
  testOnEngines,
} from '../../testing/open-test-database.ts';
import { removeItem } from '../delete/delete-items.ts';
import { editItem } from '../edit/edit-item.ts';
import { createItems } from '../item.ts';
import { EMPTY_ITEM, type ItemInput } from '../item-fields.ts';
import { lockItems, updateItems } from '../stored-item.ts';
import { createFacetList } from './facet-list.ts';
import type { LocationNode } from './location-tree.ts';

const THING: ItemInput = { ...EMPTY_ITEM, name: 'Thing' };

async function countSlowly({ read }: TestDatabase) {
  const { rows } = await sql`select * from
    (select 'location' as field, location as name, count(*) as items from items
      where location <> '' group by location
    union all select 'tag', tag, count(*) from item_tags group by tag) as counted
    order by field, name`.execute(read);
  return rows;
}

async function readCounts({ read }: TestDatabase) {
  const { rows } =
    await sql`select field, name, items from item_facets order by field, name`.execute(read);
  return rows;
}

testOnEngines('locations and tags are counted through every change of an item', async (t) => {
  const database = await openTestDatabase(t);
  const author = 7;
  await addAccount(database, author, 'ada');
  const edit = (number: number, version: number, input: Partial<ItemInput>) =>
    database.write((transaction) =>
      editItem(transaction, number, { input: { ...THING, ...input }, version }, author),
    );
  await addItem(database, { ...THING, location: 'Büro', tags: ['tools', 'Red'] });
  await addItem(database, { ...THING, location: 'Office', tags: ['tools'] });
  await addItem(database, { ...THING, location: 'Office' });
  await addItem(database, THING);
  const { page, mostUsed } = createFacetList(database);
  const names = async (...range: Parameters<typeof page>) =>
    (await page(...range)).names.map(({ name, items }) => ({ name, items }));
  assert.deepEqual(await names('location', 9), [
    { name: 'Büro', items: 1 },
    { name: 'Office', items: 2 },
  ]);
  assert.deepEqual(await mostUsed('tag', 1), [{ name: 'tools', items: 2 }]);
  assert.deepEqual(await names('tag', 9, 'RED'), [{ name: 'tools', items: 2 }]);

  await edit(1, 1, { location: 'Office', tags: ['tools', 'tools', 'blue'] });
  await edit(2, 1, { location: '', tags: ['ärmel'] });
  await edit(4, 1, { location: 'Ärmelhaus' });
  assert.deepEqual(await readCounts(database), await countSlowly(database));
  await database.write(async (transaction) => {
    const stored = [...(await lockItems(transaction, [2, 3])).values()];
    const changes = stored.map((before) => ({
      before,
      after: { ...before, version: 9, location: 'Öffice', tags: ['Red', `new ${before.number}`] },
    }));
    await updateItems(transaction, changes, { author, at: new Date().toISOString() });
  });
  assert.deepEqual(await readCounts(database), await countSlowly(database));
  assert.equal((await names('location', 9, 'O')).at(-1)?.name, 'Öffice');
  assert.deepEqual(await names('location', 9, 'öffice, z'), []);
  await database.write((transaction) => removeItem(transaction, 1, author));
  assert.deepEqual(await readCounts(database), await countSlowly(database));
  await database.write(async (transaction) => {
    await sql`update items set location = 'Attic' where number > 1`.execute(transaction);
    await sql`delete from item_tags`.execute(transaction);
  });
  assert.deepEqual(await readCounts(database), [{ field: 'location', name: 'Attic', items: 3 }]);
});

testOnEngines('the commonest outermost locations count what is inside them', async (t) => {
  const database = await openTestDatabase(t);
  const places = [
    'Office, drawer 1',
    'office, drawer 2',
    'Cellar',
    'Office',
    'Cellar, left',
    'Attic',
  ];
  for (const location of places) await addItem(database, { ...THING, location });
  const { outermost } = createFacetList(database);
  const expected = ['Office 3', 'Cellar 2'];
  const show = ({ location, items }: LocationNode) => `${location} ${items}`;
  const few = await outermost(2);
  assert.deepEqual(few.map(show), [...expected, 'Attic 1']);
  assert.deepEqual(few[0]?.inside.map(show), ['Office, drawer 1 1', 'office, drawer 2 1']);
  const rows = Array.from({ length: 500 }, (_, at) => ({ name: `Room ${at}`, key: `ROOM ${at}` }));
  await database.write((transaction) =>
    transaction
      .insertInto('item_facets')
      .values(rows.map((row) => ({ ...row, field: 'location' as const, items: 1 })))
      .execute(),
  );
  // The second time, it knows that there are many.
  for (let times = 0; times < 2; times++)
    assert.deepEqual((await outermost(2)).map(show), expected);
});

testOnEngines('the key of a location or a tag has no case', async (t) => {
  const database = await openTestDatabase(t);
  await addItem(database, { ...THING, location: 'Straße', tags: ['Ärger', 'Tools'] });
  const rows = await database.read.selectFrom('item_facets').select('key').orderBy('key').execute();
  assert.deepEqual(
    rows.map(({ key }) => key),
    ['STRASSE', 'TOOLS', 'ÄRGER'],
  );
});

testOnEngines('an item with a tag in several spellings is one item with this tag', async (t) => {
  const database = await openTestDatabase(t);
  await addItem(database, { ...THING, tags: ['green', 'GREEN', 'Green', 'ｇｒｅｅｎ', 'grün'] });
  await addItem(database, { ...THING, tags: ['Green', 'GRÜN', 'gru\u0308n'] });
  const { mostUsed, find, page } = createFacetList(database);
  assert.deepEqual(await mostUsed('tag', 9), [
    { name: 'GRÜN', items: 2 },
    { name: 'Green', items: 2 },
  ]);
  assert.equal((await find('tag', 'GREEN'))?.items, 2);
  assert.deepEqual(
    (await page('tag', 9)).names.map(({ items }) => items),
    [2, 2],
  );
  const stored = await database.read.selectFrom('item_tags').select('tag').execute();
  assert.equal(stored.length, 4);
});

testOnEngines('tags are counted once in all spellings, and then sorted', async (t) => {
  const database = await openTestDatabase(t);
  const tags = [...Array(6).fill('Tool'), ...Array(5).fill('tool'), ...Array(8).fill('Cable')];
  for (const tag of tags) await addItem(database, { ...THING, tags: [tag] });
  const { mostUsed } = createFacetList(database);
  const expected = [
    { name: 'Tool', items: 11 },
    { name: 'Cable', items: 8 },
  ];
  assert.deepEqual(await mostUsed('tag', 2), expected);
  await fillFacets(database, 'tag', 500);
  for (let times = 0; times < 2; times++) assert.deepEqual(await mostUsed('tag', 2), expected);
});

testOnEngines(
  'of many tags the commonest are looked for every ten seconds, and counted anew',
  async (t) => {
    const database = await openTestDatabase(t);
    let now = 0;
    const { mostUsed } = createFacetList(database, () => now);
    const add = (tag: string, count: number) =>
      database.write((transaction) =>
        sql`insert into item_facets (field, name, key, items) values ('tag', ${tag}, upper(${tag}), ${count})
        on conflict (field, name) do update set items = excluded.items`.execute(transaction),
      );
    const names = async () => (await mostUsed('tag', 2)).map(({ name, items }) => [name, items]);
    await fillFacets(database, 'tag', 500);
    await add('Tool', 11);
    await add('Cable', 8);
    await add('Lamp', 7);
    assert.deepEqual(await names(), [
      ['Tool', 11],
      ['Cable', 8],
    ]);
    await add('Lamp', 9);
    await add('Crate', 20);
    now = 9_999;
    assert.deepEqual(await names(), [
      ['Tool', 11],
      ['Lamp', 9],
    ]);
    now = 10_000;
    const later = [
      ['Crate', 20],
      ['Tool', 11],
    ];
    assert.deepEqual(await names(), later);
    // At once if one of them is gone: it may have become another one.
    await add('Box', 30);
    await database.write((transaction) =>
      sql`delete from item_facets where field = 'tag' and name = 'Crate'`.execute(transaction),
    );
    assert.deepEqual(await names(), [
      ['Box', 30],
      ['Tool', 11],
    ]);
  },
);

testOnEngines('a location is one in every case, width and spacing', async (t) => {
  const database = await openTestDatabase(t);
  const places = [
    'Werkstatt,Regal 1',
    'Werkstatt, Regal 1',
    'Werkstatt , Regal 1',
    'werkstatt,  regal 1',
    'Werkstatt, Regal 1',
    'Ｗｅｒｋｓｔａｔｔ，Regal１',
    'Werk\u00adstatt',
  ];
  for (const location of places) await addItem(database, { ...THING, location });
  const { page, find, outermost } = createFacetList(database);
  const { names } = await page('location', 9);
  assert.deepEqual(
    names.map(({ name, items }) => [name, items]),
    [
      ['Werk\u00adstatt', 1],
      ['Werkstatt, Regal 1', 5],
      ['Ｗｅｒｋｓｔａｔｔ，Regal１', 1],
    ],
  );
  assert.equal((await find('location', 'WERKSTATT,REGAL 1'))?.items, 5);
  assert.equal((await find('location', 'werkstatt'))?.inside, 6);
  assert.deepEqual(
    (await outermost(1)).map(({ items }) => items),
    [7],
  );
  const { items } = await createItems(database).list(1, { location: 'Werkstatt ,Regal 1' });
  assert.deepEqual(
    items.map(({ number }) => number),
    [5, 4, 3, 2, 1],
  );
});

testOnEngines('locations and tags are sorted by language and number, page by page', async (t) => {
  const database = await openTestDatabase(t);
  const sorted = [
    'Apfel',
    'Äpfel',
    'Box',
    'Box, 2',
    'Box, 10',
    'Box 2',
    'box 10',
    'Öl',
    'Ölkanne',
    'Zange',
  ];
  for (const [at] of sorted.entries()) {
    const location = sorted[(at * 7) % sorted.length] ?? '';
    await addItem(database, { ...THING, location, tags: [location.replace(',', ' ')] });
  }
  const { page } = createFacetList(database);
  const all = async (size: number) => {
    const found: string[] = [];
    for (let after: string | undefined; ; ) {
      const { names, next } = await page('location', size, after);
      found.push(...names.map(({ name }) => name));
      if (next === null) return found;
      after = next;
    }
  };
  assert.deepEqual(await all(3), sorted);
  await fillFacets(database, 'location', 600);
  assert.deepEqual((await all(50)).slice(0, sorted.length), sorted, 'in the thread of searches');
});

async function fillFacets(database: TestDatabase, field: 'location' | 'tag', count: number) {
  const rows = Array.from({ length: count }, (_, at) => ({ name: `ZZ ${at}`, key: `ZZ ${at}` }));
  await database.write((transaction) =>
    transaction
      .insertInto('item_facets')
      .values(rows.map((row) => ({ ...row, field, items: 1 })))
      .execute(),
  );
}

testOnEngines('items that exchange their locations concurrently cause no deadlock', async (t) => {
  const database = await openTestDatabase(t);
  const author = 7;
  await addAccount(database, author, 'ada');
  const places = ['Attic', 'Cellar', 'Garage', 'Office'];
  const input = (at: number) => ({ ...THING, location: places[at % places.length] ?? '' });
  for (let number = 1; number <= 8; number++) await addItem(database, THING);
  // Each form changes two items of its own, as an import does; every second one the other way around.
  const move = (number: number, round: number) =>
    database.write(async (transaction) => {
      const to = number % 4 === 1 ? [round, round + 2] : [round + 2, round];
      for (const [step, place = 0] of to.entries()) {
        const edit = { input: input(place), version: round };
        await editItem(transaction, number + step, edit, author);
      }
    });
  for (let round = 1; round <= 8; round++)
    await Promise.all([1, 3, 5, 7].map((number) => move(number, round)));
  assert.deepEqual(await readCounts(database), await countSlowly(database));
  if (database.engine === 'sqlite') return;
  // The door tries a transaction again that was ended to resolve a deadlock.
  const { rows } = await sql`select deadlocks from pg_stat_database
    where datname = current_database()`.execute(database.read);
  assert.deepEqual(rows, [{ deadlocks: 0 }]);
});
