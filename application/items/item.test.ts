import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
  addAccount,
  addItem,
  openTestDatabase,
  testOnEngines,
} from '../testing/open-test-database.ts';
import { createItems } from './item.ts';
import { PAGE_SIZE } from './item-list.ts';
import type { NewItem } from './item-rows.ts';

const DRILL: NewItem = {
  name: 'Drill',
  description: 'Two batteries.\nOne is old.',
  quantity: 2,
  minimum: 3,
  location: 'Workshop',
  tags: ['tools', 'lent out'],
  serial: 'SN-7',
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

testOnEngines('an item that could not be stored leaves no gap in the numbers', async (t) => {
  const { database } = await openItems(t);
  await addItem(database, DRILL);
  await assert.rejects(addItem(database, DRILL, 404), /foreign key/i);
  await assert.rejects(addItem(database, { ...DRILL, name: null as never }), /not.null/i);
  assert.equal(await addItem(database, DRILL), 2);
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
    ...DRILL,
    number: 1,
    loan: null,
    createdAt,
    createdBy: 'Ada',
    updatedAt: createdAt,
    updatedBy: 'Ada',
    version: 1,
  });
});

testOnEngines('text is stored unchanged, whatever it looks like', async (t) => {
  const { database, items } = await openItems(t);
  const texts = {
    name: "' OR 1=1--",
    description: '{{7*7}} #{7*7} %s%n\n<script>alert(1)</script>',
    location: '🔧 \u202eright to left',
  };
  const number = await addItem(database, { ...DRILL, ...texts, tags: ['ä', 'a\u0308'] });
  const item = await items.find(number);
  const { name, description, location } = item ?? DRILL;
  assert.deepEqual({ name, description, location }, texts);
  assert.deepEqual(item?.tags, ['ä', 'a\u0308']);
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

testOnEngines('there is no item under a number that was never given', async (t) => {
  const { database, items } = await openItems(t);
  await addItem(database, DRILL);
  for (const number of [0, 2, -1, Number.MAX_SAFE_INTEGER]) {
    assert.equal(await items.find(number), null, String(number));
  }
});

testOnEngines('a list without items is one empty page', async (t) => {
  const { items } = await openItems(t);
  const counts = { page: 1, pageCount: 1, itemCount: 0 };
  const empty = { items: [], ...counts, isTruncated: false, isSearchShortened: false };
  assert.deepEqual(await items.list(1), empty);
  assert.deepEqual(await items.list(7), empty);
});

testOnEngines('a list shows 20 items a page, newest first', async (t) => {
  const { database, items } = await openItems(t);
  for (let count = 0; count < 45; count++) await addItem(database, DRILL);
  assert.equal(PAGE_SIZE, 20);
  const numbersOn = async (page: number) =>
    (await items.list(page)).items.map(({ number }) => number);
  const countDown = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => from - index);
  assert.deepEqual(await numbersOn(1), countDown(45, 20));
  assert.deepEqual(await numbersOn(2), countDown(25, 20));
  assert.deepEqual(await numbersOn(3), countDown(5, 5));
  const { page, pageCount, itemCount } = await items.list(2);
  assert.deepEqual({ page, pageCount, itemCount }, { page: 2, pageCount: 3, itemCount: 45 });
});

testOnEngines('a page beyond the last is the last', async (t) => {
  const { database, items } = await openItems(t);
  for (let count = 0; count < 21; count++) await addItem(database, DRILL);
  for (const asked of [2, 3, 1_000_000_000, Number.MAX_SAFE_INTEGER]) {
    const { items: listed, page } = await items.list(asked);
    assert.equal(page, 2);
    assert.deepEqual(
      listed.map(({ number }) => number),
      [1],
    );
  }
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
