/** The export of things with a kind and fields of one's own, imported into the same collection and into others. */
import assert from 'node:assert/strict';
import type { Database } from '../database/kysely.ts';
import { EMPTY_ITEM } from '../items/item-fields.ts';
import {
  changeDefinitions,
  createField,
  createKind,
  type DefinitionEdit,
} from '../own-fields/change-definitions.ts';
import type { OwnValues } from '../own-fields/own-field.ts';
import { readOwnValues } from '../own-fields/own-values.ts';
import { ADA, openImport } from '../testing/open-import.ts';
import { addItem, repeatOnEngines } from '../testing/open-test-database.ts';

const NONE = { create: 0, change: 0, same: 0, here: 0, asked: 0, doubled: 0, refuse: 0 };

/** One tells its parts from the others only as a whole. */
const COLOURS = ['Red', 'Blue', 'Red, dark'].map((label, at) => ({ id: `c${at + 1}`, label }));
const STATES = ['Good', 'Worn'].map((label, at) => ({ id: `c${at + 1}`, label }));

/** The kinds are 1 and 2, the fields 1 to 13. */
function define(database: Database): Promise<void> {
  return database.write(async (transaction) => {
    for (const name of ['Tool', 'Book']) await createKind(transaction, { name }, null);
    for (const field of [
      { kind: 'text', label: 'Colour' },
      { kind: 'long text', label: 'Story' },
      { kind: 'number', label: 'Length', unit: 'mm' },
      { kind: 'money', label: 'Deposit', unit: 'USD' },
      { kind: 'date', label: 'Bought' },
      { kind: 'yes or no', label: 'Insured' },
      { kind: 'choice', label: 'State', choices: STATES },
      { kind: 'choices', label: 'Paint', choices: COLOURS },
      { kind: 'link', label: 'Manual' },
      { kind: 'person', label: 'Owner' },
      // As the headings of other tables.
      { kind: 'text', label: 'Inventory number' },
      { kind: 'number', label: 'Size', itemKind: 1 },
      { kind: 'text', label: 'Size', itemKind: 2 },
    ] as const)
      await createField(transaction, field, null);
  });
}

const OWN: readonly { readonly kind: number | null; readonly own: OwnValues }[] = [
  {
    kind: 1,
    own: {
      ...{ 1: '=red,  "light"', 2: 'Found.\n\n- in the attic', 3: '-1.125', 4: '1234.50' },
      ...{ 5: '2026-02-01', 6: 'yes', 7: 'c2', 8: ['c1', 'c3'], 9: 'https://a.example/?b=1,2' },
      ...{ 10: 'Bo', 11: 'A-1', 12: '1234567890.123456' },
    },
  },
  // What stands for nothing in other tables is a text like any.
  { kind: 2, own: { 1: 'none', 3: '1.5', 4: '0.00', 6: 'no', 7: 'c1', 8: ['c2'], 13: 'A5' } },
  { kind: null, own: { 1: '-', 2: 'n/a', 4: '3.00', 11: '17' } },
];

async function fill(database: Database): Promise<void> {
  for (const [at, { kind, own }] of OWN.entries())
    await addItem(database, {
      ...EMPTY_ITEM,
      ...{ name: `Thing ${at}`, code: `400638133393${at + 1}`, kind, own },
    });
}

type Opened = Awaited<ReturnType<typeof openImport>>;

async function readAll({ database, items }: Opened) {
  const numbers = OWN.map((_, at) => at + 1);
  const own = await readOwnValues(database.read, numbers);
  const found = await Promise.all(numbers.map((number) => items.find(number)));
  return found.map((item) => ({ kind: item?.kind ?? null, own: own.get(item?.number ?? 0) ?? {} }));
}

function edit({ database }: Opened, ...edits: readonly DefinitionEdit[]) {
  return database.write((transaction) =>
    changeDefinitions(transaction, edits, { author: ADA, kind: 'changed' }),
  );
}

repeatOnEngines('kinds and own values of an export come back unchanged', async (t) => {
  const from = await openImport(t);
  await define(from.database);
  await fill(from.database);
  assert.deepEqual(await readAll(from), OWN);
  assert.deepEqual((await from.plan(await from.save())).planned, { ...NONE, same: 3 });

  // What was removed, things still have.
  const choices = JSON.stringify([STATES[0], { ...STATES[1], removed: true }]);
  await edit(
    from,
    { table: 'own_fields', id: 1, set: { label: 'Shade' } },
    { table: 'own_fields', id: 7, set: { choices } },
    { table: 'own_fields', id: 2, set: { removed: 1 } },
    { table: 'item_kinds', id: 1, set: { removed: 1 } },
  );
  assert.deepEqual((await from.load(await from.save())).planned, { ...NONE, same: 3 });
  assert.deepEqual(await readAll(from), OWN);
});

repeatOnEngines('an export from before a rename changes nothing, and makes nothing', async (t) => {
  const opened = await openImport(t, undefined, 'administrator');
  await define(opened.database);
  await fill(opened.database);
  const file = await opened.save();
  const renamed = [{ ...STATES[0], label: 'Fine' }, STATES[1]];
  await edit(
    opened,
    { table: 'own_fields', id: 1, set: { label: 'Shade' } },
    { table: 'own_fields', id: 3, set: { label: 'Long side' } },
    { table: 'own_fields', id: 12, set: { label: 'Bigness' } },
    { table: 'own_fields', id: 7, set: { choices: JSON.stringify(renamed) } },
    { table: 'item_kinds', id: 2, set: { name: 'Volume' } },
  );
  const { planned, columns, definitions, preview } = await opened.load(file, 'update');
  assert.deepEqual(
    [planned, definitions],
    [
      { ...NONE, same: 3 },
      { fields: [], kinds: [] },
    ],
  );
  assert.ok(columns.areSure);
  assert.deepEqual(columns.notices, [
    '“Colour” is an earlier name of the field “Shade”',
    '“Length (mm)” is an earlier name of the field “Long side”',
    '“Tool: Size” is an earlier name of the field “Bigness”',
    '“Book: Size” is an earlier name of the field “Size”',
  ]);
  assert.deepEqual(
    preview.notices.map(({ column, examples }) => [
      column,
      examples[0]?.cell,
      examples[0]?.message,
    ]),
    [['kind', 'Book', 'is an earlier name of the kind “Volume”']],
  );
  assert.deepEqual(await readAll(opened), OWN);
});

repeatOnEngines(
  'an earlier name of two fields, or of another one now, is not guessed',
  async (t) => {
    const opened = await openImport(t, undefined, 'administrator');
    await define(opened.database);
    await edit(opened, { table: 'own_fields', id: 1, set: { label: 'Shade' } });
    const uses = async (heading: string) =>
      (await opened.plan(`Name,${heading}\nSaw,red\n`)).columns.uses[1];
    assert.equal(await uses('Colour'), 'own_1');
    await edit(opened, { table: 'own_fields', id: 11, set: { label: 'Colour' } });
    assert.equal(await uses('COLOUR'), 'own_11');
    await edit(opened, { table: 'own_fields', id: 11, set: { label: 'Number' } });
    assert.equal(await uses('colour'), 'new text');
    await edit(opened, { table: 'own_fields', id: 11, set: { removed: 1 } });
    const { columns } = await opened.plan('Name,colour \nSaw,red\n');
    assert.deepEqual([columns.uses[1], columns.areSure], ['own_1', false]);
  },
);

repeatOnEngines(
  'another collection with the same fields takes over kinds and values',
  async (t) => {
    const from = await openImport(t);
    await define(from.database);
    await fill(from.database);
    const file = await from.save();
    const to = await openImport(t);
    await define(to.database);
    const { done, preview } = await to.load(file);
    assert.deepEqual([done.created, preview.notices], [3, []]);
    assert.deepEqual(await readAll(to), OWN);
    assert.equal((await to.items.find(2))?.code, '4006381333932');
    assert.equal(await to.save(), file);
  },
);

repeatOnEngines(
  'an administrator makes the kinds and fields of an export, with their units',
  async (t) => {
    const from = await openImport(t);
    await define(from.database);
    await fill(from.database);
    const to = await openImport(t, undefined, 'administrator');
    const file = await from.save();
    assert.equal((await to.load(file)).done.created, 3);
    const { fields } = await to.items.definitions.read();
    assert.deepEqual(
      fields.map(({ kind, label, unit }) => [label, kind, unit].join(' ').trim()),
      [
        ...[
          'Colour text',
          'Story long text',
          'Length number mm',
          'Deposit money USD',
          'Bought date',
        ],
        ...['Insured yes or no', 'State text', 'Paint text', 'Manual link', 'Owner text'],
        ...['Inventory number text', 'Tool: Size text', 'Book: Size text'],
      ],
    );
    const labels = (id: number, value: string | readonly string[]) =>
      [value]
        .flat()
        .map((one) => [...(id === 7 ? STATES : COLOURS)].find((choice) => choice.id === one)?.label)
        .join(', ');
    // Choices are the text of their labels.
    assert.deepEqual(
      await readAll(to),
      OWN.map(({ kind, own }) => ({
        kind,
        own: Object.fromEntries(
          Object.entries(own).map(([id, value]) => [
            id,
            id === '7' || id === '8' ? labels(Number(id), value) : value,
          ]),
        ),
      })),
    );
    const { kinds } = await to.items.definitions.read();
    assert.deepEqual(
      kinds.map(({ name }) => name),
      ['Tool', 'Book'],
    );
    assert.deepEqual((await to.load(file)).planned, { ...NONE, same: 3 });
  },
);
