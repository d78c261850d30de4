/** Batches in the model: many items changed, deleted, and taken back at once. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { fillItems } from '../../testing/fill-items.ts';
import { listBatches, listEvents } from '../../testing/list-events.ts';
import {
  addAccount,
  addItem,
  openTestDatabase,
  testOnEngines,
} from '../../testing/open-test-database.ts';
import { unavailableOnce } from '../../testing/unavailable-once.ts';
import { removeItem } from '../delete/delete-items.ts';
import { editItem } from '../edit/edit-item.ts';
import { createBatch, createBatches } from '../events/batches.ts';
import { recordAdded } from '../events/change-item.ts';
import { ChangeRefused } from '../events/change-refused.ts';
import { createHistory } from '../events/item-events.ts';
import { createItems } from '../item.ts';
import { EMPTY_ITEM } from '../item-fields.ts';
import { lendItem } from '../lend/lend-item.ts';
import { countItem } from '../quantity/count-item.ts';
import { changeMany, type ManyOptions, removeMany } from '../select/change-many.ts';
import { BatchRefused, createUndoRest, type UndoneBatch, undoBatch } from './undo-batch.ts';
import { undoEvent } from './undo-event.ts';

const ADA = 1;
const THING = { ...EMPTY_ITEM, name: 'Thing', quantity: 5, location: 'Office', tags: ['a'] };
const MOVE: ManyOptions = { author: ADA, operation: { kind: 'moved', location: 'Cellar' } };

async function openItems(t: TestContext, count: number) {
  const database = await openTestDatabase(t);
  await addAccount(database, ADA, 'ada');
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  for (const number of numbers) await addItem(database, { ...THING, name: `Thing ${number}` }, ADA);
  const items = createItems(database);
  const [history, batches] = [createHistory(database), createBatches(database)];
  const move = (transaction: KyselyTransaction, which = numbers) =>
    changeMany(transaction, which, (item) => ({ ...item, location: 'Cellar' }), MOVE);
  const locations = async () =>
    Promise.all(numbers.map(async (number) => (await items.find(number))?.location ?? null));
  return { database, numbers, items, history, batches, move, locations, write: database.write };
}

testOnEngines('many items are changed as one batch, and the others are named', async (t) => {
  const { database, write, move, locations, batches, items } = await openItems(t, 4);
  await write((transaction) => removeItem(transaction, 2, ADA));
  await write((transaction) => move(transaction, [3]));
  const done = await write((transaction) => move(transaction, [4, 3, 2, 1, 1]));
  assert.deepEqual(
    { ...done, same: done.same.map(({ name }) => name) },
    { batch: 2, changed: 2, same: ['Thing 3'], refused: [], missing: [2] },
  );
  assert.deepEqual(await locations(), ['Cellar', null, 'Cellar', 'Cellar']);
  const events = await listEvents(database);
  assert.deepEqual(
    events.map(({ id, number, version, batch }) => [id, number, version, batch]),
    [
      [4, 4, 2, 2],
      [3, 1, 2, 2],
      [2, 3, 2, 1],
      [1, 2, 2, null],
    ],
  );
  const { at: _, ...batch } = (await batches.find(2)) ?? assert.fail();
  const counts = { events: 2, undone: 0, lastEvent: 4 };
  assert.deepEqual(batch, { id: 2, by: 'ada', operation: MOVE.operation, ...counts });
  assert.equal((await items.list(1, { search: 'cellar' })).itemCount, 3);
  assert.equal((await write((transaction) => move(transaction, [1, 4]))).batch, null);
  assert.equal((await listBatches(database)).length, 2);
});

testOnEngines('a batch is undone as one, and so is its undo', async (t) => {
  const { write, move, locations, items, batches } = await openItems(t, 3);
  await write(move);
  const undone = await write((transaction) => undoBatch(transaction, 1, ADA));
  assert.deepEqual(undone, { batch: 2, undone: 3, left: [], rest: 0, oldest: 1, place: null });
  assert.deepEqual(await locations(), ['Office', 'Office', 'Office']);
  assert.equal((await items.list(1, { search: 'cellar' })).itemCount, 0);
  assert.equal((await batches.find(1))?.undone, 3);
  assert.deepEqual((await batches.find(2))?.operation, { kind: 'undone', undoes: 1 });
  await assert.rejects(
    write((transaction) => undoBatch(transaction, 1, ADA)),
    (error) => error instanceof ChangeRefused && error.refusal.kind === 'already undone',
  );
  await write((transaction) => undoBatch(transaction, 2, ADA));
  assert.deepEqual(await locations(), ['Cellar', 'Cellar', 'Cellar']);
  await assert.rejects(
    write((transaction) => undoBatch(transaction, 9, ADA)),
    (error) => error instanceof ChangeRefused && error.refusal.kind === 'gone',
  );
});

testOnEngines('undoing a batch leaves items that were changed since, and says why', async (t) => {
  const { database, write, move, locations } = await openItems(t, 5);
  await write(move);
  await write(async (transaction) => {
    const input = { ...THING, name: 'Thing 1', location: 'Roof' };
    await editItem(transaction, 1, { input, version: 2 }, ADA);
    await countItem(transaction, 2, { by: -1, reason: '' }, ADA);
    await removeItem(transaction, 3, ADA);
    await undoEvent(transaction, 4, 4, ADA);
  });
  const { undone, left } = await write((transaction) => undoBatch(transaction, 1, ADA));
  assert.equal(undone, 2);
  assert.deepEqual(
    left.map(({ event, refusal }) => [event.number, refusal]),
    [
      [3, { kind: 'missing' }],
      [1, { kind: 'changed since', fields: ['location'] }],
    ],
  );
  assert.deepEqual(await locations(), ['Roof', 'Office', null, 'Office', 'Office']);
  const before = await listEvents(database);
  await assert.rejects(
    write((transaction) => undoBatch(transaction, 1, ADA)),
    (error) => error instanceof BatchRefused && error.left.length === 2,
  );
  assert.deepEqual(await listEvents(database), before);
});

testOnEngines(
  'a change that cannot be undone does not count for the limit of an undo',
  async (t) => {
    const { write, move, numbers, locations } = await openItems(t, 5);
    await write(move);
    await write((transaction) =>
      changeMany(transaction, [4, 5], (item) => ({ ...item, location: 'Roof' }), MOVE),
    );
    const { undone, left, rest } = await write((transaction) => undoBatch(transaction, 1, ADA, 2));
    assert.deepEqual([undone, left.length, rest], [2, 2, 1]);
    assert.deepEqual(await locations(), ['Cellar', 'Office', 'Office', 'Roof', 'Roof']);
    assert.equal(numbers.length, 5);
  },
);

testOnEngines('undoing a batch of deletions restores the items', async (t) => {
  const { write, numbers, items, history, locations } = await openItems(t, 4);
  const remove = () => write((transaction) => removeMany(transaction, [...numbers, 9], ADA));
  assert.deepEqual(await remove(), { batch: 1, changed: 4, same: [], refused: [], missing: [9] });
  assert.equal((await items.list(1)).itemCount, 0);
  assert.equal((await history.bin(10)).events.length, 4);
  const undone = await write((transaction) => undoBatch(transaction, 1, ADA, 3));
  assert.deepEqual(undone, { batch: 2, undone: 3, left: [], rest: 1, oldest: 2, place: null });
  assert.deepEqual(await locations(), [null, 'Office', 'Office', 'Office']);
  await write((transaction) => undoBatch(transaction, 1, ADA, 3));
  assert.deepEqual(await locations(), ['Office', 'Office', 'Office', 'Office']);
  assert.equal((await items.list(1, { search: 'thing' })).itemCount, 4);
});

testOnEngines(
  'undoing a batch deletes the items that it added, and undoes several changes of one item',
  async (t) => {
    const { write, items } = await openItems(t, 2);
    const batch = await write((transaction) =>
      createBatch(transaction, ADA, { kind: 'imported', file: 'items.csv' }),
    );
    for (const [version, location] of ['Cellar', 'Roof'].entries()) {
      const input = { ...THING, name: 'Saw', location };
      const edit = { input, version: version + 1 };
      await write((transaction) => editItem(transaction, 1, edit, ADA, batch));
    }
    for (const name of ['New', 'Newer']) {
      await write(async (transaction) => {
        const number = await items.create(transaction, { ...THING, name }, ADA);
        await recordAdded(transaction, [{ number, name }], ADA, batch);
      });
    }
    await write((transaction) => countItem(transaction, 4, { by: 1, reason: '' }, ADA));
    const { undone, left } = await write((transaction) => undoBatch(transaction, batch, ADA));
    assert.equal(undone, 3);
    assert.deepEqual(
      left.map(({ event, refusal }) => [event.number, refusal.kind]),
      [[4, 'conflict']],
    );
    assert.equal(await items.find(3), null);
    const item = await items.find(1);
    assert.deepEqual([item?.name, item?.location, item?.version], ['Thing 1', 'Office', 5]);
  },
);

testOnEngines(
  'undoing a batch ends the loans that it made, and undoing that lends again',
  async (t) => {
    const { write, items, history } = await openItems(t, 2);
    const loans = async () =>
      Promise.all([1, 2].map(async (number) => (await items.find(number))?.loans[0] ?? null));
    await write(async (transaction) => {
      const batch = await createBatch(transaction, ADA, { kind: 'imported', file: 'loans.csv' });
      for (const number of [1, 2])
        await lendItem(transaction, number, { to: 'Bo', until: '2026-12-03' }, ADA, batch);
    });
    const lent = await loans();
    const { batch } = await write((transaction) => undoBatch(transaction, 1, ADA));
    assert.deepEqual(await loans(), [null, null]);
    const [undo] = (await history.ofItem(1, 1)).events;
    assert.deepEqual(undo?.changes, { loans: [[lent[0]], []] });
    await write((transaction) => undoBatch(transaction, batch, ADA));
    assert.deepEqual(await loans(), lent);
  },
);

testOnEngines('one form undoes a large batch in several transactions, as one batch', async (t) => {
  const { database, write, items, batches } = await openItems(t, 0);
  await fillItems(database, 1_100);
  const numbers = Array.from({ length: 1_100 }, (_, index) => index + 1);
  await write((transaction) => removeMany(transaction, numbers, ADA));
  const begun = await write((transaction) => undoBatch(transaction, 1, ADA));
  const part = database.engine === 'sqlite' ? 200 : 500;
  assert.deepEqual([begun.undone, begun.rest], [part, 1_100 - part]);
  const late = await createUndoRest(database, 0)(1, ADA, begun);
  assert.deepEqual([late.undone, late.rest], [part, 1_100 - part]);
  assert.deepEqual(await createUndoRest(unavailableOnce(database))(1, ADA, begun), begun);
  const done = await createUndoRest(database)(1, ADA, begun);
  assert.deepEqual([done.undone, done.rest, done.left.length], [1_100, 0, 0]);
  assert.deepEqual([begun.batch, done.batch], [2, 2]);
  assert.equal((await batches.find(2))?.events, 1_100);
  assert.equal((await batches.find(1))?.undone, 1_100);
  assert.equal((await items.list(1)).itemCount, 1_100);
});

testOnEngines('what was changed since is left in each part of a large batch', async (t) => {
  const { write, move, locations } = await openItems(t, 9);
  await write(move);
  const roof = (transaction: KyselyTransaction) =>
    changeMany(transaction, [2, 5, 8, 9], (item) => ({ ...item, location: 'Roof' }), MOVE);
  await write(roof);
  const undo = (earlier: UndoneBatch | null = null) =>
    write((transaction) => undoBatch(transaction, 1, ADA, 3, earlier));
  const first = await undo();
  const second = await undo(first);
  const done = await undo(second);
  const rests = [first, second, done].map(({ rest }) => rest);
  assert.deepEqual(rests, [6, 3, 0]);
  assert.deepEqual([done.undone, done.left.length, done.batch], [5, 4, 3]);
  const [office, at] = ['Office', 'Roof'];
  assert.deepEqual(await locations(), [office, at, office, office, at, office, office, at, at]);
});
