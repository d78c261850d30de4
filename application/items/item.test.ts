import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
  addAccount,
  addItem,
  openTestDatabase,
  testOnEngines,
} from '../testing/open-test-database.ts';
import { createItems } from './item.ts';
import type { NewItem } from './item-rows.ts';

const DRILL: NewItem = {
  name: 'Drill',
  description: 'Two batteries.\nOne is old.',
  quantity: 2,
  minimum: 3,
  location: 'Workshop',
  tags: ['tools', 'lent out'],
  serial: 'SN-7',
  code: '4006381333931',
};

async function openItems(t: TestContext) {
  const database = await openTestDatabase(t);
  return { database, items: createItems(database) };
}

testOnEngines('the first item has the number 1, and numbers count up', async (t) => {
  const { database } = await openItems(t);
  assert.equal(await addItem(database, DRILL), 1);
  assert.equal(await addItem(database, DRILL), 2);
  assert.equal(await addItem(database, DRILL), 3);
});

testOnEngines('items that are created at once get different numbers without a gap', async (t) => {
  const { database } = await openItems(t);
  const creations = Array.from({ length: 20 }, () => addItem(database, DRILL));
  const numbers = await Promise.all(creations);
  const expected = Array.from({ length: 20 }, (_, index) => index + 1);
  assert.deepEqual(
    numbers.toSorted((one, other) => one - other),
    expected,
  );
});

testOnEngines('the number of a deleted item is not reused', async (t) => {
  const { database } = await openItems(t);
  const number = await addItem(database, DRILL);
  await database.write((transaction) =>
    transaction.deleteFrom('items').where('number', '=', number).execute(),
  );
  assert.equal(await addItem(database, DRILL), number + 1);
});

testOnEngines('an item is found as it was created', async (t) => {
  const { database, items } = await openItems(t);
  await addAccount(database, 1, 'Ada');
  const before = Date.now();
  const number = await addItem(database, DRILL, 1);
  const item = await items.find(number);
  const createdAt = item?.createdAt ?? new Date(0);
  assert.ok(createdAt.getTime() >= before && createdAt.getTime() <= Date.now());
  assert.deepEqual(item, {
    ...{ ...DRILL, kind: null, own: {} },
    number: 1,
    loans: [],
    createdAt,
    createdBy: 'Ada',
    updatedAt: createdAt,
    updatedBy: 'Ada',
    version: 1,
    picture: null,
  });
});

testOnEngines('the tags of an item stay in their order, and with their item', async (t) => {
  const { database, items } = await openItems(t);
  await addItem(database, { ...DRILL, tags: ['z', 'a', 'm'] });
  await addItem(database, { ...DRILL, tags: [] });
  await addItem(database, { ...DRILL, tags: ['a'] });
  const { items: listed } = await items.list(1);
  assert.deepEqual(
    listed.map(({ number, tags }) => [number, tags]),
    [
      [3, ['a']],
      [2, []],
      [1, ['z', 'a', 'm']],
    ],
  );
});

testOnEngines('a list without items is one empty page', async (t) => {
  const { items } = await openItems(t);
  const counts = { page: 1, pageCount: 1, itemCount: 0 };
  const empty = { items: [], ...counts, isTruncated: false, isSearchShortened: false };
  assert.deepEqual(await items.list(1), empty);
  assert.deepEqual(await items.list(7), empty);
});

testOnEngines('a full page has no empty page after it', async (t) => {
  const { database, items } = await openItems(t);
  for (let count = 0; count < 20; count++) await addItem(database, DRILL);
  const { pageCount, items: listed } = await items.list(2);
  assert.equal(pageCount, 1);
  assert.equal(listed.length, 20);
});

testOnEngines('the range is the lowest and the highest number in use', async (t) => {
  const { database, items } = await openItems(t);
  assert.equal(await items.range(), null);
  for (let count = 0; count < 3; count++) await addItem(database, DRILL);
  assert.deepEqual({ ...(await items.range()) }, { lowest: 1, highest: 3 });
  await database.write((transaction) =>
    transaction.deleteFrom('items').where('number', '=', 1).execute(),
  );
  assert.deepEqual({ ...(await items.range()) }, { lowest: 2, highest: 3 });
});
