/** Exports of other programs, imported with fields of one's own: the values, again, corrected, and undone. */
import assert from 'node:assert/strict';
import { DefaultQueryExecutor } from 'kysely';
import { undoBatch } from '../items/history/undo-batch.ts';
import { changeDefinitions, createField, createKind } from '../own-fields/change-definitions.ts';
import { readOwnValues, showOwnValue } from '../own-fields/own-values.ts';
import { createHomeboxExport } from '../testing/exports/homebox.ts';
import { createInvenTreeExport } from '../testing/exports/inventree.ts';
import type { RealExport } from '../testing/exports/make-random.ts';
import { createSnipeItExport } from '../testing/exports/snipe-it.ts';
import { ADA, openImport } from '../testing/open-import.ts';
import { repeatOnEngines, testOnEngines } from '../testing/open-test-database.ts';

const NONE = { create: 0, change: 0, same: 0, here: 0, asked: 0, doubled: 0, refuse: 0 };

type Opened = Awaited<ReturnType<typeof openImport>>;

/** The values of items by the labels of the fields, as files have them. */
async function ownOfAll({ items, database }: Opened, count: number) {
  const { fields } = await items.definitions.read();
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const all = await readOwnValues(database.read, numbers);
  return numbers.map((number): Record<string, string> => {
    const own = all.get(number) ?? {};
    return Object.fromEntries(
      fields.flatMap((field) => {
        const value = own[field.id];
        if (value === undefined) return [];
        const text = field.kind === 'choice' ? showOwnValue(field, value) : String(value);
        return [[field.label, text]];
      }),
    );
  });
}

async function ownOf(opened: Opened, number: number): Promise<Record<string, string>> {
  return (await ownOfAll(opened, number)).at(-1) ?? {};
}

/** Of the fields that the things of a file are checked for. */
function pick(own: Record<string, string>, labels: ReadonlySet<string>) {
  return Object.fromEntries(Object.entries(own).filter(([label]) => labels.has(label)));
}

const FILES: readonly ((count: number) => RealExport)[] = [
  createHomeboxExport,
  createSnipeItExport,
  createInvenTreeExport,
];

for (const create of FILES) {
  repeatOnEngines(
    `the fields of ${create(1).name} are made, filled, and not made again`,
    async (t) => {
      const opened = await openImport(t, undefined, 'administrator');
      const { database, items, plan, load } = opened;
      const { file, things } = create(database.engine === 'sqlite' ? 400 : 60);
      const first = await load(file);
      assert.equal(first.done.created, things.length);
      const labels = new Set(things.flatMap(({ own }) => Object.keys(own)));
      assert.deepEqual(
        (await ownOfAll(opened, things.length)).map((own) => pick(own, labels)),
        things.map(({ own }) => own),
      );
      const { fields } = await items.definitions.read();
      const again = await plan(file);
      assert.deepEqual(again.planned, {
        ...NONE,
        here: things.length,
        refuse: first.planned.refuse,
      });
      assert.equal(again.preview.hereChanged, 0);
      await load(file, 'update');
      assert.deepEqual((await items.definitions.read()).fields.length, fields.length);
      assert.equal(await items.lastNumber(), things.length);
    },
  );
}

repeatOnEngines('a corrected cell is that one change, and an undo takes it back', async (t) => {
  const opened = await openImport(t, undefined, 'administrator');
  const { database, plan, load, history } = opened;
  const { file } = createHomeboxExport(20);
  await load(file);
  const before = await ownOf(opened, 1);
  const price = before['Purchase price'] ?? assert.fail();
  const short = price.replace(/\.?0+$/, '');
  const corrected = file.replace(`,${short},`, ',4711.5,');
  assert.notEqual(corrected, file);
  const planned = await plan(corrected);
  assert.equal(planned.preview.hereChanged, 1);
  assert.deepEqual(
    Object.values(planned.preview.here[0]?.changes.names ?? {}).map((texts) => texts?.[0]),
    ['Purchase price'],
  );
  const { batch, done } = await load(corrected, 'update');
  assert.deepEqual([done.created, done.changed], [0, 1]);
  assert.deepEqual(await ownOf(opened, 1), { ...before, 'Purchase price': '4711.50' });
  assert.equal((await history.ofItem(1, 10)).events.length, 2);
  await database.write((transaction) => undoBatch(transaction, batch ?? 0, ADA));
  assert.deepEqual(await ownOf(opened, 1), before);
});

repeatOnEngines(
  'a column with the label of a field is that field, and what does not fit is kept',
  async (t) => {
    const opened = await openImport(t, undefined, 'administrator');
    const { items, plan, load } = opened;
    await load('Name,Price\nSaw,12.50 €\nRope,3 €\n');
    const [field] = (await items.definitions.read()).fields;
    assert.deepEqual([field?.label, field?.kind, field?.unit], ['Price', 'money', 'EUR']);
    const file = 'Name,PRICE\nSaw,13 €\nRope,$4\nAxe,a gift\nNail,-\n';
    const { preview } = await plan(file);
    assert.deepEqual(
      preview.notices.map(({ column, count, examples }) => [column, count, examples[0]?.message]),
      [['PRICE', 2, 'does not fit the amount of money, and is kept in the description']],
    );
    await load(file, 'update');
    assert.equal((await items.definitions.read()).fields.length, 1);
    assert.deepEqual(await ownOf(opened, 1), { Price: '13.00' });
    assert.deepEqual(await ownOf(opened, 2), { Price: '3.00' });
    assert.equal((await items.find(2))?.description, 'PRICE: $4');
    assert.equal((await items.find(3))?.description, 'PRICE: a gift');
    assert.equal((await items.find(4))?.description, '');
  },
);

repeatOnEngines(
  'an empty cell empties the value, and a file without the column leaves it',
  async (t) => {
    const opened = await openImport(t, undefined, 'administrator');
    const { load } = opened;
    await load('Name,Colour\nSaw,red\nRope,blue\n');
    await load('Name,Quantity\nSaw,2\n', 'update');
    assert.deepEqual(await ownOf(opened, 1), { Colour: 'red' });
    await load('Name,Colour\nSaw,\nRope,blue\n', 'update');
    assert.deepEqual(await ownOf(opened, 1), {});
    assert.deepEqual(await ownOf(opened, 2), { Colour: 'blue' });
  },
);

repeatOnEngines(
  'only the import of an administrator makes fields, and only with its first rows',
  async (t) => {
    const { database, items, plan, confirm, runAll, imports } = await openImport(
      t,
      undefined,
      'administrator',
    );
    const fields = async () => (await items.definitions.read()).fields.map(({ label }) => label);
    const file = 'Name,Colour\nSaw,red\n';
    const setRole = (role: string) =>
      database.write((transaction) =>
        transaction.updateTable('accounts').set({ role }).where('id', '=', ADA).execute(),
      );
    const planned = await plan(file);
    await confirm(planned);
    await database.write((transaction) => imports.stop(transaction, planned.id, ADA));
    await runAll(planned);
    assert.deepEqual(await fields(), []);
    const other = await plan(file);
    await confirm(other);
    await setRole('member');
    assert.equal(
      (await runAll(other)).problem,
      'The account may not make fields or kinds any more.',
    );
    assert.deepEqual(await fields(), []);
    assert.equal(await items.lastNumber(), 0);
    await runAll(await confirmed(await plan(file)));
    assert.deepEqual(await fields(), []);
    assert.equal((await items.find(1))?.description, 'Colour: red');

    async function confirmed(one: Awaited<ReturnType<typeof plan>>) {
      await confirm(one);
      return one;
    }
  },
);

testOnEngines('of two imports that make the same field, the second one uses it', async (t) => {
  const { items, plan, confirm, runAll } = await openImport(t, undefined, 'administrator');
  const [one, other] = [
    await plan('Name,Colour\nSaw,red\n'),
    await plan('Name,Colour\nAxe,blue\n'),
  ];
  for (const each of [one, other]) await confirm(each);
  await runAll(one);
  assert.equal((await runAll(other)).done.created, 1);
  const { fields } = await items.definitions.read();
  assert.deepEqual(
    [fields.length, (await items.find(2))?.own],
    [1, { [fields[0]?.id ?? 0]: 'blue' }],
  );
});

for (const [what, label] of [
  ['own_fields', 'field “Maker”'],
  ['item_kinds', 'kind “Tool”'],
] as const)
  testOnEngines(`an import for a ${label} that was removed since the preview stops`, async (t) => {
    const opened = await openImport(t, undefined, 'administrator');
    const { database, items, plan, confirm, runAll } = opened;
    await database.write(async (transaction) => {
      await createKind(transaction, { name: 'Tool' }, ADA);
      await createField(transaction, { kind: 'text', label: 'Maker' }, ADA);
    });
    const planned = await plan('Name,Kind,Maker\nDrill,Tool,Bosch\n');
    await confirm(planned);
    // Also as a part of a merge.
    await database.write((transaction) =>
      changeDefinitions(transaction, [{ table: what, id: 1, set: { removed: 1 } }], {
        ...{ author: ADA, kind: 'removed' },
      }),
    );
    const { state, problem } = await runAll(planned);
    const said = `Somebody else has removed the ${label} since the preview. Choose the file again.`;
    assert.deepEqual([state, problem], ['stopped', said]);
    assert.equal(await items.find(1), null);
  });

testOnEngines(
  'the items of a piece are changed by a few statements, however many they are',
  async (t) => {
    const { items, load, plan, confirm, runAll } = await openImport(t, undefined, 'administrator');
    const file = (colour: string, count: number) =>
      `Name,Colour,Maker\n${Array.from({ length: count }, (_, at) => `Thing ${at},${colour} ${at},Acme ${at}\n`).join('')}`;
    const { prototype } = DefaultQueryExecutor;
    const { mock } = t.mock.method(Object.getPrototypeOf(prototype), 'executeQuery');
    /** Without those that are prepared once. */
    const countStatements = async (text: string) => {
      const planned = await plan(text);
      await confirm(planned, ADA, { here: 'update', asked: null });
      mock.resetCalls();
      const { done } = await runAll(planned);
      return [done.changed, mock.callCount()] as const;
    };
    await load(file('red', 40));
    const [one, few] = await countStatements(file('blue', 1));
    const [all, more] = await countStatements(file('green', 40));
    assert.deepEqual([one, all], [1, 40]);
    assert.ok(more <= few + 5, `${more} statements for 40 items, ${few} for one`);
    assert.equal((await items.find(40))?.own[1], 'green 39');
    const [, added] = await countStatements(
      file('red', 80).replaceAll(/^Thing [1-3]?\d,.*\n/gm, ''),
    );
    // For each of 40 new items, its place and the keys of its tags may need a statement.
    assert.ok(added < 40, `${added} statements for 40 new items`);
  },
);
