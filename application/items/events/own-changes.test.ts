/** The values of fields that a team defines itself: nothing loses them, and the history tells what they were called. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { OwnValues } from '../../own-fields/own-field.ts';
import { addItemKind, addOwnField } from '../../own-fields/write-definitions.ts';
import { addAccount, openTestDatabase, testOnEngines } from '../../testing/open-test-database.ts';
import { removeItem } from '../delete/delete-items.ts';
import { editItem } from '../edit/edit-item.ts';
import { undoBatch } from '../history/undo-batch.ts';
import { undoEvent } from '../history/undo-event.ts';
import { createItems } from '../item.ts';
import { EMPTY_ITEM } from '../item-fields.ts';
import { removeItemForEver, removeOldValue } from '../remove/remove-values.ts';
import { changeMany, removeMany } from '../select/change-many.ts';
import { changeList } from './event-text.ts';
import { createHistory } from './item-events.ts';

const CHOICES = [
  { id: 'c1', label: 'Good' },
  { id: 'c2', label: 'Needs repair' },
];
const BEFORE: OwnValues = { 1: '12.5', 2: 'c1', 3: ['c1', 'c2'], 4: 'Secret place' };
const AFTER: OwnValues = { 1: '13', 2: 'c2', 3: ['c2'] };
const FIELDS = ['own_1', 'own_2', 'own_3', 'own_4', 'kind'] as const;

async function openDrill(t: TestContext) {
  const database = await openTestDatabase(t);
  await addAccount(database, 1, 'ada');
  const items = createItems(database);
  await database.write(async (one) => {
    const kind = await addItemKind(one, { name: 'Tool' });
    await addOwnField(one, { kind: 'number', label: 'Weight', unit: 'kg' });
    await addOwnField(one, { kind: 'choice', label: 'Condition', choices: CHOICES });
    await addOwnField(one, { kind: 'choices', label: 'Seen', choices: CHOICES });
    await addOwnField(one, { kind: 'text', label: 'Maker' });
    await items.create(one, { name: 'Drill', kind, own: BEFORE }, 1);
  });
  await items.revision();
  const history = createHistory(database);
  const state = async () => {
    const item = await items.find(1);
    return item === null ? null : { own: item.own, kind: item.kind };
  };
  const edit = (own: OwnValues, kind: number | null) =>
    database.write(async (one) => {
      const version = (await items.find(1))?.version ?? 0;
      const input = { ...EMPTY_ITEM, own, kind };
      return editItem(one, 1, { input, version, fields: FIELDS }, 1);
    });
  const last = async () => (await history.ofItem(1, 1)).events[0] ?? assert.fail();
  return { database, items, history, state, edit, last };
}

testOnEngines('an edit, its undo, a deletion and a restore lose no value', async (t) => {
  const { database, state, edit, last } = await openDrill(t);
  assert.deepEqual(await state(), { own: BEFORE, kind: 1 });
  assert.equal(await edit(BEFORE, 1), false, 'nothing was changed');
  assert.equal(await edit(AFTER, null), true);
  assert.deepEqual(await state(), { own: AFTER, kind: null });
  const { id } = await last();
  await database.write((one) => undoEvent(one, 1, id, 1));
  assert.deepEqual(await state(), { own: BEFORE, kind: 1 });
  await database.write((one) => removeItem(one, 1, 1));
  assert.equal(await state(), null);
  await database.write(async (one) => undoEvent(one, 1, (await last()).id, 1));
  assert.deepEqual(await state(), { own: BEFORE, kind: 1 });
});

testOnEngines('an edit of other fields, and a change of many, keep the values', async (t) => {
  const { database, state } = await openDrill(t);
  const moved = { ...EMPTY_ITEM, name: 'Drill', location: 'Cellar' };
  await database.write((one) => editItem(one, 1, { input: moved, version: 1 }, 1));
  assert.deepEqual(await state(), { own: BEFORE, kind: 1 });
  const operation = { kind: 'moved', location: 'Office' } as const;
  const move = (item: Parameters<Parameters<typeof changeMany>[2]>[0]) => ({
    ...item,
    location: 'Office',
  });
  await database.write((one) => changeMany(one, [1], move, { author: 1, operation }));
  const removed = await database.write((one) => removeMany(one, [1], 1));
  await database.write((one) => undoBatch(one, removed.batch ?? 0, 1));
  assert.deepEqual(await state(), { own: BEFORE, kind: 1 });
});

testOnEngines('the history names fields and choices as they were called then', async (t) => {
  const { database, edit, last } = await openDrill(t);
  await edit(AFTER, null);
  await database.write((one) =>
    one
      .updateTable('own_fields')
      .set({ label: 'Shape', choices: '[]' })
      .where('id', '=', 2)
      .execute(),
  );
  const shown = changeList((await last()).changes)?.markup ?? '';
  for (const line of [
    /Kind: <del>Tool<\/del> .* <ins>&#8211;</,
    /Weight: <del>12.5 kg<\/del> .* <ins>13 kg</,
    /Condition: <del>Good<\/del> .* <ins>Needs repair</,
    /Seen: <del>Good, Needs repair<\/del> .* <ins>Needs repair</,
    /Maker: <del>Secret place<\/del> .* <ins>&#8211;</,
  ])
    assert.match(shown, line);
});

testOnEngines(
  'an old value and a deleted thing are removed for ever, with all copies',
  async (t) => {
    const { database, edit, last, history } = await openDrill(t);
    await edit(AFTER, null);
    const { id } = await last();
    const everything = async () =>
      JSON.stringify([
        await database.read.selectFrom('item_events').selectAll().execute(),
        await database.read.selectFrom('item_values').selectAll().execute(),
        await database.read.selectFrom('item_words').selectAll().execute(),
      ]);
    assert.match(await everything(), /Secret place/);
    await database.write((one) => removeOldValue(one, 1, id, 'own_4', 1));
    assert.doesNotMatch(await everything(), /Secret place/);
    const { changes } = (await history.find(1, id)) ?? assert.fail();
    assert.match(changeList(changes)?.markup ?? '', /Maker: <del><em>removed<\/em><\/del>/);
    await assert.rejects(database.write((one) => undoEvent(one, 1, id, 1)));
    await edit({ ...AFTER, 4: 'Other secret' }, null);
    await database.write((one) => removeItem(one, 1, 1));
    assert.match(await everything(), /Other secret/);
    await database.write((one) => removeItemForEver(one, 1, 1));
    assert.doesNotMatch(await everything(), /Other secret/);
  },
);
