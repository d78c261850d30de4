/** Fields, kinds and choices that are merged, on the things that have them. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyText } from 'seeother/testing';
import {
  changeDefinitions,
  createField,
  createKind,
  readLocked,
} from '../../own-fields/change-definitions.ts';
import { toChoices } from '../../own-fields/label-rules.ts';
import type { OwnValues } from '../../own-fields/own-field.ts';
import { showOwnValue } from '../../own-fields/own-values.ts';
import { openFields, undo } from '../../testing/open-fields.ts';
import { addItem, repeatOnEngines, testOnEngines } from '../../testing/open-test-database.ts';
import { unavailableOnce } from '../../testing/unavailable-once.ts';
import { createMergeRest, mergeAgain, mergePart } from './merge-values.ts';

async function openMerge(t: TestContext, things: readonly OwnValues[]) {
  const site = await openFields(t);
  const { database, application } = site;
  const conditions = ['Good', 'Broken'].map((label, at) => ({ id: `c${at + 1}`, label }));
  await database.write(async (transaction) => {
    await createField(transaction, { kind: 'text', label: 'Maker', searched: true }, null);
    await createKind(transaction, { name: 'Tool' }, null);
    const maker = { kind: 'text', label: 'Manufacturer', itemKind: 1 } as const;
    await createField(transaction, maker, null);
    await createField(transaction, { kind: 'choice', label: 'State', choices: conditions }, null);
    const others = [
      { id: 'c1', label: 'broken' },
      { id: 'c2', label: 'Lost' },
    ];
    await createField(transaction, { kind: 'choice', label: 'Condition', choices: others }, null);
    await createKind(transaction, { name: 'Tools' }, null);
  });
  for (const [at, own] of things.entries())
    await addItem(database, { name: `Thing ${at + 1}`, own, kind: at === 0 ? 1 : null }, 1);
  const { items } = application.models;
  const values = async () => {
    const found = await items.valuesOf(things.map((_, at) => ({ number: at + 1 })));
    return things.map((_, at) => found.get(at + 1) ?? {});
  };
  return { ...site, items, values };
}

const THINGS: readonly OwnValues[] = [
  { 1: 'Bosch', 2: 'Makita' },
  { 2: 'Metabo' },
  { 1: 'Bosch' },
  {},
];

repeatOnEngines(
  'two fields become one: the first value stays, and Undo brings back both',
  async (t) => {
    const { ada, items, values, labels } = await openMerge(t, THINGS);
    const merged = await ada.submit('/fields/2/merge', { from: '2', into: '1' });
    const shown = bodyText(await ada.follow(merged));
    assert.match(
      shown,
      /“Manufacturer” was merged into “Maker” on 2 things\. 1 thing had both, and kept the value of “Maker”: “Thing 1”\./,
    );
    assert.deepEqual(await values(), [{ 1: 'Bosch' }, { 1: 'Metabo' }, { 1: 'Bosch' }, {}]);
    assert.deepEqual(await labels(), ['Maker', 'State', 'Condition']);
    // What is merged is found, and in the history of the thing.
    assert.deepEqual((await items.list(1, { search: 'metabo' })).items[0]?.number, 2);
    assert.match(
      bodyText(await ada.get('/items/1/history')),
      /Manufacturer: <del>Makita<\/del> → <ins>–/,
    );
    assert.equal((await undo(ada)).status, 303);
    assert.deepEqual(await values(), THINGS);
    assert.deepEqual(await labels(), ['Maker', 'Manufacturer', 'State', 'Condition']);
  },
);

repeatOnEngines('choices are merged by what they are called', async (t) => {
  const things = [{ 3: 'c1', 4: 'c2' }, { 4: 'c1' }, { 4: 'c2' }];
  const { ada, definitions, values } = await openMerge(t, things);
  await ada.submit('/fields/4/merge', { from: '4', into: '3' });
  assert.deepEqual(await values(), [{ 3: 'c1' }, { 3: 'c2' }, { 3: 'c3' }]);
  const { choices } = (await definitions.read()).allFields.get(3) ?? assert.fail();
  assert.deepEqual(choices.at(2), { id: 'c3', label: 'Lost' });
  await ada.submit('/fields/3/choices', { from: 'c3', into: 'c2' });
  assert.deepEqual(await values(), [{ 3: 'c1' }, { 3: 'c2' }, { 3: 'c2' }]);
  assert.equal((await ada.submit('/fields/3/choices', { from: 'c1', into: 'c1' })).status, 400);
  await undo(ada);
  assert.deepEqual((await values())[2], { 3: 'c3' });
});

repeatOnEngines('of two kinds, the things and the fields become those of one', async (t) => {
  const { ada, items, definitions } = await openMerge(t, THINGS);
  await ada.submit('/fields/kinds/1/merge', { from: '1', into: '2' });
  assert.equal((await items.find(1))?.kind, 2);
  assert.deepEqual((await definitions.read()).fields[1]?.itemKind, 2);
  await undo(ada);
  assert.equal((await items.find(1))?.kind, 1);
  assert.deepEqual((await definitions.read()).fields[1]?.itemKind, 1);
});

repeatOnEngines('a large merge goes on in further transactions, as one batch', async (t) => {
  const things = Array.from({ length: 5 }, (_, at): OwnValues => ({ 2: `Maker ${at}` }));
  const { database, values } = await openMerge(t, things);
  const wanted = { what: 'field', from: 2, into: 1 } as const;
  const begun = await database.write((transaction) => mergePart(transaction, wanted, 1, null, 2));
  assert.deepEqual([begun?.changed, begun?.change], [2, null]);
  assert.ok(begun);
  // Without the database, the form answers with what was done.
  assert.deepEqual(await createMergeRest(unavailableOnce(database))(wanted, 1, begun), begun);
  const done = await createMergeRest(database)(wanted, 1, begun);
  assert.deepEqual([done.changed, done.batch], [5, begun.batch]);
  assert.notEqual(done.change, null);
  assert.deepEqual((await values())[4], { 1: 'Maker 4' });
});

const LOST: readonly OwnValues[] = Array.from({ length: 5 }, () => ({ 4: 'c2' }));
const STATE = { what: 'field', from: 4, into: 3 } as const;

testOnEngines('while a large merge goes on, what is merged keeps its choice', async (t) => {
  const { database, definitions, values } = await openMerge(t, LOST);
  const shown = async () => {
    const { allFields } = await definitions.read();
    return (await values()).map((own) => {
      const [id = '', value = ''] = Object.entries(own)[0] ?? [];
      const field = allFields.get(Number(id));
      return `${field?.label} ${field && showOwnValue(field, value)}`;
    });
  };
  const begun = await database.write((transaction) => mergePart(transaction, STATE, 1, null, 2));
  assert.ok(begun);
  const [moved, waiting] = ['State Lost', 'Condition Lost'];
  assert.deepEqual(await shown(), [moved, moved, waiting, waiting, waiting]);
  await database.write(async (transaction) => {
    const { allFields } = await readLocked(transaction);
    const { choices = [] } = allFields.get(3) ?? {};
    const more = toChoices([...choices, { id: '', label: 'Rusty' }], choices);
    const edit = { table: 'own_fields', id: 3, set: { choices: JSON.stringify(more) } } as const;
    await changeDefinitions(transaction, [edit], { author: 1, kind: 'changed' });
  });
  await createMergeRest(database)(STATE, 1, begun);
  assert.deepEqual(
    await shown(),
    LOST.map(() => moved),
  );
});

testOnEngines('nothing is merged into a field that is removed at that moment', async (t) => {
  const { database, values } = await openMerge(t, LOST);
  const [isRemoved, isLate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const removing = database.write(async (transaction) => {
    const edit = { table: 'own_fields', id: 3, set: { removed: 1 } } as const;
    await changeDefinitions(transaction, [edit], { author: 1, kind: 'removed' });
    isRemoved.resolve();
    await isLate.promise;
  });
  await isRemoved.promise;
  const merging = mergeAgain(() =>
    database.write((transaction) => mergePart(transaction, STATE, 1)),
  );
  // On PostgreSQL, it has read the definitions, and waits for them.
  await sleep(200);
  isLate.resolve();
  await removing;
  assert.equal(await merging, null);
  assert.deepEqual(await values(), LOST);
});

testOnEngines('forms that are sent while their field is merged lose nothing', async (t) => {
  const things = Array.from({ length: 6 }, (_, at): OwnValues => (at % 2 ? { 1: 'Bosch' } : {}));
  const { ada, values } = await openMerge(t, [...things, { 2: 'Makita' }]);
  const forms = things.map((_, at) =>
    ada.submit(`/items/${at + 1}/edit`, { own_2: `Maker ${at}` }),
  );
  const merged = ada.submit('/fields/2/merge', { from: '2', into: '1' });
  const statuses = (await Promise.all(forms)).map(({ status }) => status);
  assert.equal((await merged).status, 303);
  const expected = things.map((own, at) =>
    statuses[at] === 303 && own[1] === undefined ? { 1: `Maker ${at}` } : own,
  );
  assert.deepEqual(await values(), [...expected, { 1: 'Makita' }], statuses.join());
});

testOnEngines('a merge is undone, too, if the history of each thing has undone it', async (t) => {
  const { ada, database, values, labels } = await openMerge(t, [{ 2: 'Metabo' }]);
  const merged = await ada.submit('/fields/2/merge', { from: '2', into: '1' });
  const { id } = await database.read
    .selectFrom('item_events')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  assert.equal((await ada.post(`/items/1/history/${id}/undo`, {})).status, 303);
  assert.deepEqual(await values(), [{ 2: 'Metabo' }]);
  assert.equal((await undo(ada, merged)).status, 303);
  assert.deepEqual((await labels()).slice(0, 2), ['Maker', 'Manufacturer']);
  assert.deepEqual(await values(), [{ 2: 'Metabo' }]);
});
