/** Kinds of things that a file names: made once, whoever imports it how often, and by nobody who may not. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { changeDefinitions, createKind } from '../own-fields/change-definitions.ts';
import { NO_DEFINITIONS } from '../own-fields/definitions.ts';
import { ADA, openImport } from '../testing/open-import.ts';
import { testOnEngines } from '../testing/open-test-database.ts';
import { readWholeTable } from '../testing/read-whole-table.ts';
import { checkUses } from './import-forms.ts';

const NONE = { create: 0, change: 0, same: 0, here: 0, asked: 0, doubled: 0, refuse: 0 };

const ASSETS = `Asset Name,Asset Tag,Status,Purchase Cost,Category
Screen 1,A1,new,,Monitor
Screen 2,A2,new,," monitor"
Phone,A3,new,,Café  phone
Chair,A4,new,,-
Pager,A5,new,,cafe phone
`;

type Opened = Awaited<ReturnType<typeof openImport>>;

async function kindsOf({ items }: Opened): Promise<readonly string[]> {
  return (await items.definitions.read()).kinds.map(({ name }) => name);
}

/** The names of the kinds of the first items. */
async function kindsOfItems({ items }: Opened, count: number) {
  const { allKinds } = await items.definitions.read();
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const found = await Promise.all(numbers.map((number) => items.find(number)));
  return found.map((item) => allKinds.get(item?.kind ?? 0)?.name ?? null);
}

testOnEngines('kinds are made once: for a file, its repetition and its correction', async (t) => {
  const opened = await openImport(t, undefined, 'administrator');
  const { plan, load, database, imports } = opened;
  const planned = await plan(ASSETS);
  assert.equal(planned.columns.uses[4], 'kinds');
  assert.deepEqual(
    planned.definitions.kinds.map(({ name }) => name),
    ['Monitor', 'Café phone'],
  );
  assert.deepEqual(await kindsOf(opened), [], 'a preview makes nothing');
  await database.write((transaction) => imports.stop(transaction, planned.id, ADA));
  await load(ASSETS);
  assert.deepEqual(await kindsOf(opened), ['Monitor', 'Café phone']);
  assert.deepEqual(await kindsOfItems(opened, 5), [
    'Monitor',
    'Monitor',
    'Café phone',
    null,
    'Café phone',
  ]);

  const again = await plan(ASSETS);
  assert.deepEqual([again.planned, again.definitions.kinds], [{ ...NONE, here: 5 }, []]);
  assert.equal(again.preview.hereChanged, 0);
  const corrected = ASSETS.replace('Café  phone', 'Tablet').replace(',-', ',CAFE PHONE');
  const { preview } = await plan(corrected);
  assert.deepEqual(preview.here.at(0)?.changes.names?.kind, ['Kind', 'Café phone', 'Tablet']);
  assert.equal((await load(corrected, 'update')).done.changed, 2);
  assert.deepEqual(await kindsOf(opened), ['Monitor', 'Café phone', 'Tablet']);
  assert.deepEqual(await kindsOfItems(opened, 5), [
    ...['Monitor', 'Monitor', 'Tablet'],
    ...['Café phone', 'Café phone'],
  ]);
});

testOnEngines('of two imports that make the same kind, the second one uses it', async (t) => {
  const opened = await openImport(t, undefined, 'administrator');
  const { plan, confirm, runAll } = opened;
  const files = [ASSETS, ASSETS.replaceAll(/A(\d)/g, 'B$1').replace('Monitor', 'MONITOR')];
  const planned = [];
  for (const file of files) planned.push(await plan(file));
  for (const one of planned) await confirm(one);
  for (const one of planned) await runAll(one);
  assert.deepEqual(await kindsOf(opened), ['Monitor', 'Café phone']);
  assert.equal((await kindsOfItems(opened, 10)).filter((name) => name === 'Monitor').length, 4);
});

testOnEngines('whoever may make no kinds has those that there are', async (t) => {
  const opened = await openImport(t);
  const { database, plan, load, items } = opened;
  assert.equal((await plan(ASSETS)).columns.uses[4], 'tags');
  await database.write((transaction) => createKind(transaction, { name: 'Monitor' }, null));
  // As an administrator has chosen it before.
  const setRole = (role: string) =>
    database.write((transaction) =>
      transaction.updateTable('accounts').set({ role }).where('id', '=', ADA).execute(),
    );
  const other = ASSETS.replaceAll('Asset', 'asset');
  await setRole('administrator');
  const planned = await plan(other);
  await opened.confirm(planned);
  await setRole('member');
  const stopped = await opened.runAll(planned);
  assert.equal(stopped.problem, 'The account may not make fields or kinds any more.');
  assert.deepEqual(await kindsOf(opened), ['Monitor']);
  await setRole('administrator');
  await load(other);
  await database.write((transaction) =>
    changeDefinitions(transaction, [{ table: 'item_kinds', id: 2, set: { removed: 1 } }], {
      author: ADA,
      kind: 'changed',
    }),
  );
  await setRole('member');
  const later = await plan(other.replace('Screen 2', 'Screen 3').replace(',A2', ',A6'));
  assert.equal(later.columns.uses[4], 'kind');
  assert.match(later.preview.notices.at(0)?.examples[0]?.message ?? '', /is not a kind of things/);
  assert.deepEqual(later.definitions.kinds, []);
  assert.equal((await items.find(1))?.kind, 1);
});

test('a category is kinds for an administrator unless it may as well be tags', async () => {
  const use = async (cells: readonly string[], canMake = true) => {
    const rows = cells.map((cell, at) => `Thing ${at},"${cell}"`);
    const { uses } = await readWholeTable(`Name,Category\n${rows.join('\n')}\n`, {
      canMake,
    });
    return uses[1];
  };
  assert.equal(await use(['Tool', 'Tool', 'Book', 'book']), 'kinds');
  assert.equal(await use(['Tool', 'Tool', 'Book', 'Book'], false), 'tags');
  assert.equal(await use(['Tool', 'Tool', 'Book', 'Chair']), 'tags');
  assert.equal(await use(['Tool, old', 'Tool, old']), 'tags');
  const fifty = Array.from({ length: 100 }, (_, at) => `Kind ${at % 50}`);
  assert.equal(await use(fifty), 'kinds');
  assert.equal(await use([...fifty, 'Kind 50', 'Kind 50']), 'tags');
});

test('too many kinds are refused, and so are those of somebody who may not make them', async () => {
  const rows = Array.from({ length: 51 }, (_, at) => `Thing ${at},Kind ${at}\n`);
  const maker = { definitions: NO_DEFINITIONS, canMake: true };
  const columns = await readWholeTable(`Name,Type\n${rows.join('')}`);
  const check = (canMake: boolean) =>
    checkUses(
      { ...columns, rows: 51, lines: null, uses: ['name', 'kinds'] },
      { ...maker, canMake },
    ).map(({ message }) => message);
  assert.deepEqual(check(true), [
    'It has too many different texts, or long ones: an import makes up to 50 kinds',
  ]);
  assert.deepEqual(check(false), ['Only an administrator can make a kind of things']);
  const both = await readWholeTable('Name,Type,Kind\nSaw,a,b\n');
  assert.match(
    checkUses({ ...both, rows: 1, lines: null, uses: ['name', 'kind', 'kinds'] }, maker)[0]
      ?.message ?? '',
    /Only one column can be Kind of thing: make new kinds, and “Type” is/,
  );
});
