import assert from 'node:assert/strict';
import test from 'node:test';
import { openTestDatabase } from '../testing/open-test-database.ts';
import { createItems } from './item.ts';
import { addSampleItems } from './sample-items.ts';

test('an empty database gets a few sample items, that nobody has created', async (t) => {
  const items = createItems(await openTestDatabase(t));
  await addSampleItems(items);
  const { items: listed, itemCount } = await items.list(1);
  assert.equal(itemCount, 6);
  assert.deepEqual(
    listed.map(({ createdBy }) => createdBy),
    Array(6).fill(null),
  );
  assert.equal((await items.find(1))?.name, 'Label printer');
});

test('samples are added once', async (t) => {
  const items = createItems(await openTestDatabase(t));
  await addSampleItems(items);
  await addSampleItems(items);
  assert.equal((await items.list(1)).itemCount, 6);
});

test('a database with an item gets no samples', async (t) => {
  const items = createItems(await openTestDatabase(t));
  const mine = { name: 'Mine', description: '', quantity: 1, location: '', tags: [] };
  await items.create(mine, null, null);
  await addSampleItems(items);
  assert.deepEqual(
    (await items.list(1)).items.map(({ name }) => name),
    ['Mine'],
  );
});
