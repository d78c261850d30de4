import assert from 'node:assert/strict';
import { addItem, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { createItems } from './item.ts';
import { addSampleItems } from './sample-items.ts';

testOnEngines('an empty database gets a few sample items without a creator', async (t) => {
  const database = await openTestDatabase(t);
  const items = createItems(database);
  await addSampleItems(database, items);
  const { items: listed, itemCount } = await items.list(1);
  assert.equal(itemCount, 6);
  assert.deepEqual(
    listed.map(({ createdBy }) => createdBy),
    Array(6).fill(null),
  );
  assert.equal((await items.find(1))?.name, 'Label printer');
});

testOnEngines('a database with an item gets no samples', async (t) => {
  const database = await openTestDatabase(t);
  const items = createItems(database);
  const mine = { name: 'Mine', description: '', quantity: 1, location: '', tags: [] };
  await addItem(database, mine);
  await addSampleItems(database, items);
  assert.deepEqual(
    (await items.list(1)).items.map(({ name }) => name),
    ['Mine'],
  );
});
