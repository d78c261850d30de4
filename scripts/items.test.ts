/** Runs the commands for items as processes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { openDatabase } from '../application/database/open-database.ts';
import { createImports } from '../application/imports/import-model.ts';
import { COLUMNS } from '../application/items/export/csv.ts';
import { undoBatch } from '../application/items/history/undo-batch.ts';
import { createItems } from '../application/items/item.ts';
import { listEvents } from '../application/testing/list-events.ts';
import {
  addAccount,
  addItem,
  createTestFolder,
} from '../application/testing/open-test-database.ts';
import { runScript } from '../application/testing/run-script.ts';

const THING = { description: '', quantity: 1, location: '', tags: [] };

async function prepare(t: TestContext) {
  const folder = createTestFolder(t);
  const url = `sqlite:${join(folder, 'items.db')}`;
  const database = await openDatabase(url);
  t.after(() => database.close());
  await addAccount(database, 1, 'ada');
  await addAccount(database, 2, 'reader');
  await database.write((transaction) =>
    transaction.updateTable('accounts').set({ role: 'member' }).where('id', '=', 1).execute(),
  );
  await database.write((transaction) =>
    transaction.updateTable('accounts').set({ role: 'reader' }).where('id', '=', 2).execute(),
  );
  await addItem(database, { ...THING, name: 'Drill' });
  await addItem(database, { ...THING, name: 'Saw' });
  const run = (...args: readonly string[]) => runScript('items', args, { DATABASE_URL: url });
  return { database, run, file: join(folder, 'items.csv') };
}

test('items are exported, edited and imported again', async (t) => {
  const { database, run, file } = await prepare(t);
  assert.equal((await run('export', file)).output, '2 items exported.\n');
  const exported = readFileSync(file, 'utf8');
  assert.equal(
    exported.replaceAll(/[\d-]+T[\d:.]+Z/g, 'then'),
    `${COLUMNS.join(',')}\r\n1,Drill,,1,,,,,,,,,,,then\r\n2,Saw,,1,,,,,,,,,,,then\r\n`,
  );
  writeFileSync(file, `${exported.replace('Drill', 'Hammer drill')},Lamp,,x,,,\r\n,Tent,,1,,,\r\n`);
  const plan = await run('import', file);
  assert.match(
    plan.output,
    /^Line 4 \(Lamp\): quantity “x”: Quantity must be a whole number, like 3\.\n/,
  );
  assert.match(
    plan.output,
    /\n1 to create, 1 to change, 1 unchanged, 0 already here, 1 refused\.\nNothing was written\./,
  );
  const done = await run('import', file, '--as', 'Ada');
  assert.match(done.output, /\n1 created, 1 changed, 1 unchanged, 0 already here, 1 refused\.\n$/);
  const events = await listEvents(database);
  assert.deepEqual(
    events.map(({ number, kind, by }) => [number, kind, by]),
    [
      [3, 'added', 'ada'],
      [1, 'changed', 'ada'],
    ],
  );
  const batch = events[0]?.batch ?? 0;
  const { undone } = await database.write((transaction) => undoBatch(transaction, batch, 1));
  assert.equal(undone, 2);
  await run('export', file);
  assert.equal(readFileSync(file, 'utf8'), exported);
});

test('an import that was stopped goes on, and the same file again adds nothing unless it has to', async (t) => {
  const { database, run, file } = await prepare(t);
  const names = Array.from({ length: 450 }, (_, at) => `Thing ${at}`);
  writeFileSync(file, `name\n${names.join('\n')}\n`);
  const items = createItems(database);
  const imports = createImports(database, items);
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  const source = { name: 'a.csv', sha256, chunks: () => createReadStream(file) };
  const read = await imports.read(source, 1);
  const { id } = read;
  const { hash = '' } = read.plan ?? {};
  await database.write(async (transaction) => {
    await imports.publish(transaction, read, 1);
    assert.equal(await imports.confirm(transaction, id, 1, hash), 'confirmed');
  });
  await imports.step(id, 'killed');
  await imports.release('killed');
  assert.match((await run('import', file, '--as', 'ada')).output, /^450 created, 0 changed/);
  assert.equal(await items.lastNumber(), 452);
  assert.match(
    (await run('import', file, '--as', 'ada')).output,
    /^0 created, .* 450 already here/,
  );
  const add = await run('import', file, '--as', 'ada', '--here', 'add');
  assert.match(add.output, /^450 created, 0 changed/);
  assert.equal(await items.lastNumber(), 902);
});

test('what cannot be imported is one line and exit code 1', async (t) => {
  const { run, file } = await prepare(t);
  writeFileSync(file, 'weight;price\n1;2\n');
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['import', file], /Choose “Name” for the column with the names.* with --columns/],
    [['import', file, '--columns', 'name'], /names 1 columns, and the file has 2: weight, price/],
    [['import', file, '--columns', 'name,price'], /--columns has price/],
    [['import', file, '--columns', 'name,new valueOf'], /--columns has new valueOf/],
    [['import', file, '--here', 'there'], /--here is there/],
    [['import', `${file}.none`], /^Cannot open .*no such file/],
    [['import', file, '--as', 'nobody'], /there is no such account/],
    [['import', file, '--as', 'reader'], /readers may not change items/],
    [['import', file, '--as'], /'--as <value>' argument missing/],
    [['print', file], /it takes export or import/],
    [['export'], /it takes export or import/],
  ];
  for (const [args, message] of cases) {
    const { code, errors, output } = await run(...args);
    assert.equal(code, 1, errors);
    assert.match(errors, message);
    assert.equal(errors.trim().split('\n').length, 1, errors);
    assert.equal(output, '');
  }
});
