/** Fields, kinds and choices that are merged, on the things that have them. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { bodyText } from 'seeother/testing';
import { createField, createKind } from '../../own-fields/change-definitions.ts';
import type { OwnValues } from '../../own-fields/own-field.ts';
import { openFields, undo } from '../../testing/open-fields.ts';
import { addItem, testOnEngines } from '../../testing/open-test-database.ts';
import { unavailableOnce } from '../../testing/unavailable-once.ts';
import { createMergeRest, mergePart } from './merge-values.ts';

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

testOnEngines(
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

testOnEngines('choices are merged by what they are called', async (t) => {
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

testOnEngines('of two kinds, the things and the fields become those of one', async (t) => {
  const { ada, items, definitions } = await openMerge(t, THINGS);
  await ada.submit('/fields/kinds/1/merge', { from: '1', into: '2' });
  assert.equal((await items.find(1))?.kind, 2);
  assert.deepEqual((await definitions.read()).fields[1]?.itemKind, 2);
  await undo(ada);
  assert.equal((await items.find(1))?.kind, 1);
  assert.deepEqual((await definitions.read()).fields[1]?.itemKind, 1);
});

testOnEngines('a large merge goes on in further transactions, as one batch', async (t) => {
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
