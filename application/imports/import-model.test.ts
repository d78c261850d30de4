import assert from 'node:assert/strict';
import { removeItem } from '../items/delete/delete-items.ts';
import { createBatches } from '../items/events/batches.ts';
import { undoBatch } from '../items/history/undo-batch.ts';
import { undoEvent } from '../items/history/undo-event.ts';
import { countItem } from '../items/quantity/count-item.ts';
import { fillItems } from '../testing/fill-items.ts';
import { listEvents } from '../testing/list-events.ts';
import { ADA, openImport } from '../testing/open-import.ts';
import { addAccount, addItem, testOnEngines } from '../testing/open-test-database.ts';

const THING = { name: 'A', description: 'D', quantity: 7, location: 'L', tags: ['t'] };

testOnEngines(
  'importing an unchanged export changes nothing, and each edited row is a change that can be undone',
  async (t) => {
    const { database, items, plan, load, save } = await openImport(t);
    await fillItems(database, 450);
    const file = await save();
    const none = { create: 0, change: 0, same: 450, refuse: 0 };
    assert.deepEqual((await plan(file)).planned, none);

    const edited = file
      .replace('Thing 7: ', 'Renamed 7: ')
      .replace('Thing 250: ', 'Renamed 250: ')
      .replace('Thing 449: ', 'Renamed 449: ');
    const { planned, done, state, batch } = await load(edited);
    assert.deepEqual(planned, { ...none, change: 3, same: 447 });
    assert.deepEqual(done, { rows: 3, created: 0, changed: 3, left: 0 });
    assert.equal(state, 'done');
    const events = await listEvents(database);
    assert.deepEqual(
      events.map(({ number, kind, by }) => ({ number, kind, by })),
      [449, 250, 7].map((number) => ({ number, kind: 'changed', by: 'ada' })),
    );
    assert.ok(events.every((event) => event.batch === batch));
    const listed = await createBatches(database).find(batch ?? 0);
    assert.deepEqual(listed?.operation, { kind: 'imported', file: 'things.csv' });
    assert.deepEqual([listed?.events, listed?.undone], [3, 0]);
    assert.match((await items.find(250))?.name ?? '', /^Renamed 250/);
    assert.deepEqual((await plan(edited)).planned, none);
    for (const { number, id } of events)
      await database.write((transaction) => undoEvent(transaction, number, id, ADA));
    assert.deepEqual((await plan(file)).planned, none);
  },
);

testOnEngines('every text is the same after an export and an import', async (t) => {
  const { database, plan, save } = await openImport(t);
  const texts = ['=1+1', "'=1", '-', '"', ',;\tx', 'a\nb', "''", 'ä€😀', '@x'];
  for (const text of texts)
    await addItem(database, { name: text, description: text, quantity: 0, location: '', tags: [] });
  assert.equal((await plan(await save())).planned.same, texts.length);
});

testOnEngines('rows without a number add items, and a plan writes nothing', async (t) => {
  const { items, plan, confirm, runAll } = await openImport(t);
  const planned = await plan('location;name\r\nOffice;Drill\r\n;"Saw; small"\r\n');
  assert.equal(planned.planned.create, 2);
  assert.equal((await runAll(planned)).state, 'planned');
  assert.equal(await items.range(), null);
  await confirm(planned);
  assert.equal((await runAll(planned)).done.created, 2);
  assert.equal((await items.find(1))?.location, 'Office');
  const saw = await items.find(2);
  assert.deepEqual([saw?.name, saw?.quantity, saw?.createdBy], ['Saw; small', 1, 'ada']);
});

testOnEngines(
  'undoing an import deletes the items that it added, except those that were changed since',
  async (t) => {
    const { database, items, history, load } = await openImport(t);
    await addItem(database, THING);
    const rows = Array.from({ length: 120 }, (_, at) => `,New ${at}`);
    const { batch, done } = await load(`number,name\n1,B\n${rows.join('\n')}\n`);
    assert.deepEqual([done.created, done.changed], [120, 1]);
    const added = await history.ofItem(2, 10);
    assert.deepEqual(
      added.events.map(({ kind, by, version, batch: of }) => ({ kind, by, version, of })),
      [{ kind: 'added', by: 'ada', version: 1, of: batch }],
    );
    const count = { by: 1, reason: '' };
    await database.write((transaction) => countItem(transaction, 2, count, ADA));
    await database.write((transaction) => removeItem(transaction, 3, ADA));
    const { undone, left } = await database.write((transaction) =>
      undoBatch(transaction, batch ?? 0, ADA),
    );
    assert.equal(undone, 119);
    assert.deepEqual(
      left.map(({ event, refusal }) => [event.itemName, refusal.kind]),
      [
        ['New 1', 'missing'],
        ['New 0', 'conflict'],
      ],
    );
    const { items: rest } = await items.list(1, { order: 'oldest' });
    assert.deepEqual(
      rest.map(({ name }) => name),
      ['A', 'New 0'],
    );
    assert.equal((await history.bin(200)).events.length, 119);
    const back = await database.write((transaction) => undoBatch(transaction, 2, ADA));
    assert.equal(back.undone, 119);
    assert.equal((await items.list(1)).itemCount, 120);
    assert.equal((await items.list(1, { search: 'new' })).itemCount, 119);
  },
);

testOnEngines('a missing column leaves its field unchanged', async (t) => {
  const { database, items, load } = await openImport(t);
  await addItem(database, THING);
  await load('name,number\nB,1\n');
  const { name, description, quantity, location, tags } = (await items.find(1)) ?? {};
  assert.deepEqual({ name, description, quantity, location, tags }, { ...THING, name: 'B' });
});

testOnEngines('a preview names rows, lines, columns and values', async (t) => {
  const { database, plan } = await openImport(t);
  await addItem(database, THING);
  const file =
    'number,name,quantity\n,,1\n,"two\nlines",x\n9,Nine,1\nx,X,1\n,short\n,Good,1\n1,B,7\n';
  const { planned, preview } = await plan(file);
  assert.deepEqual(planned, { create: 1, change: 1, same: 0, refuse: 5 });
  assert.deepEqual(
    preview.refused.map(({ line, problem }) => `${line} ${problem}`),
    [
      '2 name: Enter a name',
      '3 quantity “x”: Quantity must be a whole number, like 3',
      '5 number: There is no item 9. Leave its number empty to add it',
      '6 number “x”: Number must be that of an item, or empty',
      '7 It has 2 cells, and the first line names 3 columns',
    ],
  );
  assert.deepEqual(preview.changed, [
    { line: 9, number: 1, name: 'A', changes: { name: ['A', 'B'] } },
  ]);
  assert.deepEqual(
    preview.created.map(({ line, input }) => [line, input.name]),
    [[8, 'Good']],
  );
});

testOnEngines(
  'an item that was changed after the preview is left unchanged and named',
  async (t) => {
    const { database, items, plan, confirm, load, runAll } = await openImport(t);
    for (const name of ['A', 'B', 'C']) await addItem(database, { ...THING, name });
    const mine = await plan('number,name\n1,Mine\n2,Mine\n3,Mine\n');
    await load('number,name\n1,Theirs\n');
    await database.write((transaction) => removeItem(transaction, 2, ADA));
    await confirm(mine);
    const { state, done, refusals } = await runAll(mine);
    assert.equal(state, 'done');
    assert.deepEqual(done, { rows: 3, created: 0, changed: 1, left: 2 });
    assert.deepEqual(refusals, [
      {
        line: 2,
        problem: 'Somebody else has changed item 1 since the preview. It was left as it is',
      },
      {
        line: 3,
        problem: 'Somebody else has deleted item 2 since the preview. It was left as it is',
      },
    ]);
    assert.equal((await items.find(1))?.name, 'Theirs');
    assert.equal((await items.find(3))?.name, 'Mine');
  },
);

testOnEngines(
  'only its author confirms an import, once, with what the preview showed',
  async (t) => {
    const { database, imports, plan, confirm, runAll, items } = await openImport(t);
    await addAccount(database, 2, 'bo');
    const planned = await plan('name\nA\n');
    assert.equal(await imports.find(planned.id, 2), null);
    assert.deepEqual(await imports.list(2), []);
    assert.equal(await confirm(planned, 2), 'missing');
    assert.equal(await confirm({ ...planned, planHash: 'another' }), 'changed');
    const both = await Promise.all([confirm(planned), confirm(planned)]);
    assert.deepEqual(both.sort(), ['confirmed', 'confirmed before']);
    await Promise.all([runAll(planned), runAll(planned)]);
    assert.equal((await runAll(planned)).state, 'done');
    assert.equal(await confirm(planned), 'confirmed before');
    assert.equal(await items.lastNumber(), 1);
  },
);

testOnEngines('a preview that is a day old cannot be confirmed', async (t) => {
  const { database, plan, confirm, find } = await openImport(t);
  const planned = await plan('name\nA\n');
  const updated_at = new Date(Date.now() - 86_400_000).toISOString();
  await database.write((transaction) =>
    transaction.updateTable('imports').set({ updated_at }).execute(),
  );
  assert.equal((await find(planned.id)).state, 'expired');
  assert.equal(await confirm(planned), 'expired');
});

testOnEngines(
  'an account has three previews at most, and a refused file leaves none',
  async (t) => {
    const { database, imports, plan } = await openImport(t);
    for (let count = 1; count <= 4; count++) await plan(`name\nA${count}\n`);
    await assert.rejects(plan(`name\n${'A\n'.repeat(2_000)}"`), /not closed/);
    assert.equal((await imports.list(ADA)).length, 3);
    const { length } = await database.read.selectFrom('imports').select('id').execute();
    const pieces = await database.read.selectFrom('import_pieces').select('import_id').execute();
    assert.deepEqual([length, pieces.length], [3, 3]);
  },
);
