import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import {
  addAccount,
  addItem,
  openTestDatabase,
  testOnEngines,
} from '../testing/open-test-database.ts';
import { createItems } from './item.ts';
import type { NewItem } from './item-rows.ts';
import { indexAllItems } from './item-search.ts';
import { deleteItems, lockItem, lockItems, restoreItems, updateItems } from './stored-item.ts';

const THING: NewItem = { name: 'Thing', description: '', quantity: 1, location: '', tags: [] };

testOnEngines(
  'items changed, deleted or restored with their create have the right words',
  async (t) => {
    const database = await openTestDatabase(t);
    const items = createItems(database);
    const list = async (search: string) =>
      (await items.list(1, { search })).items.map(({ number }) => number);
    await addItem(database, { ...THING, name: 'Lamp' });
    await addAccount(database, 1, 'ada');
    await database.write(async (transaction) => {
      const deleted = await items.create(transaction, { ...THING, name: 'Hammer' }, null);
      const changed = await items.create(transaction, { ...THING, name: 'Saw' }, null);
      const counted = await items.create(transaction, { ...THING, name: 'Nail' }, null);
      const restored = await items.create(transaction, { ...THING, name: 'Chisel' }, null);
      const found = await lockItems(transaction, [changed, counted, restored]);
      const [saw, nail, chisel] = [...found.values()];
      assert.ok(saw && nail && chisel);
      await deleteItems(transaction, [deleted, restored]);
      const change = { author: 1, at: new Date().toISOString() };
      await updateItems(
        transaction,
        [
          { before: saw, after: { ...saw, name: 'File', version: 2 } },
          { before: nail, after: { ...nail, quantity: 100, version: 2 } },
        ],
        change,
      );
      await restoreItems(transaction, [{ ...chisel, version: 3 }], change);
    });
    await addItem(database, { ...THING, name: 'Anvil' });
    const found = ['lamp', 'hammer', 'saw', 'file', 'nail', 'chisel', 'anvil'].map(list);
    assert.deepEqual(await Promise.all(found), [[1], [], [], [3], [4], [5], [6]]);
    const words = await database.read.selectFrom('item_words').select('rowid').execute();
    assert.deepEqual(words.map(({ rowid }) => rowid).sort(), [1, 3, 4, 5, 6]);
  },
);

testOnEngines('a serial number is found by its beginning, and by nothing inside it', async (t) => {
  const database = await openTestDatabase(t);
  const items = createItems(database);
  await addAccount(database, 1, 'ada');
  const list = async (search: string) => {
    const { items: found, suggestion } = await items.list(1, { search });
    return suggestion ?? found.map(({ number }) => number);
  };
  await addItem(database, { name: 'Laptop', serial: '5CG-0123XYZ' });
  await addItem(database, { name: 'Laptop of CG', serial: '5CG-0124XYZ' });
  const searches = ['5cg', '5CG-0123', '5cg-0123xyz', '0124x', '123xyz', 'ptop 5cg', '5CG-0129XYZ'];
  const found = [[2, 1], [1], [1], [2], [], [2, 1], []];
  assert.deepEqual(await Promise.all(searches.map(list)), found);
  const words = await database.read.selectFrom('item_vocabulary').select('word').execute();
  assert.deepEqual(
    words.map(({ word }) => word),
    ['LAPTOP'],
  );
  await database.write(async (transaction) => {
    const before = (await lockItem(transaction, 1)) ?? assert.fail();
    const after = { ...before, serial: 'NEW-0123', version: 2 };
    await updateItems(transaction, [{ before, after }], { author: 1, at: 'now' });
  });
  assert.deepEqual([await list('5cg'), await list('new-01')], [[2], [1]]);
  await database.write(indexAllItems);
  assert.deepEqual([await list('5cg'), await list('new-01'), await list('0124')], [[2], [1], [2]]);
});

test('deletions do not rewrite the index: one such statement would stop all other requests', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const items = createItems(database);
  await addAccount(database, 1, 'ada');
  await database.write(async (transaction) => {
    for (let count = 1; count <= 400; count++)
      await items.create(transaction, { ...THING, name: `Thing ${count}` }, 1);
  });
  const file = new DatabaseSync(database.file, { readOnly: true });
  t.after(() => file.close());
  const size = () =>
    Number(file.prepare('select sum(length(block)) as size from item_words_data').get()?.['size']);
  const before = size();
  for (let first = 1; first < 400; first += 50) {
    const numbers = Array.from({ length: 50 }, (_, index) => first + index).slice(0, 49);
    await database.write((transaction) => deleteItems(transaction, numbers));
  }
  assert.ok(size() >= before, `${size()} of ${before} bytes are left`);
  assert.deepEqual(
    (await items.list(1, { search: 'thing' })).items.map(({ number }) => number),
    [400, 350, 300, 250, 200, 150, 100, 50],
  );
});
