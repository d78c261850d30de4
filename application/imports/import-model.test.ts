import assert from 'node:assert/strict';
import { normalizeText } from 'seeother';
import { removeItem } from '../items/delete/delete-items.ts';
import { undoBatch } from '../items/history/undo-batch.ts';
import { lendItem } from '../items/lend/lend-item.ts';
import { countItem } from '../items/quantity/count-item.ts';
import { ADA, openImport } from '../testing/open-import.ts';
import { addItem, testOnEngines } from '../testing/open-test-database.ts';

/** The counts of a plan. */
const NONE = { create: 0, change: 0, same: 0, here: 0, asked: 0, doubled: 0, refuse: 0 };
const THING = { name: 'A', description: 'D', quantity: 7, location: 'L', tags: ['t'] };

testOnEngines('every text is the same after an export and an import', async (t) => {
  const { database, plan, save } = await openImport(t);
  const texts = ['=1+1', "'=1", '-', '"', ',;\tx', 'a\nb', "''", 'ä€😀', '@x'];
  for (const text of texts)
    await addItem(database, {
      // A name has one line.
      name: normalizeText(text),
      description: text,
      quantity: 0,
      location: '',
      tags: [],
    });
  assert.equal((await plan(await save())).planned.same, texts.length);
});

testOnEngines(
  'undoing an import deletes the items that it added, except those that were changed since',
  async (t) => {
    const { database, items, history, load } = await openImport(t);
    await addItem(database, THING);
    const rows = Array.from({ length: 120 }, (_, at) => `,1,New ${at}`);
    const { batch, done } = await load(`number,quantity,name\n1,8,A\n${rows.join('\n')}\n`);
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

testOnEngines('a quantity that is lower than what is lent is named, and not stored', async (t) => {
  const { database, items, plan, confirm, runAll } = await openImport(t);
  for (const name of ['A', 'B', 'C']) await addItem(database, { ...THING, name });
  const lend = (number: number, to: string) =>
    database.write((transaction) => lendItem(transaction, number, { to, until: null }, ADA));
  await lend(1, 'Bo');
  const file = 'name,location,quantity\nA,L,0\nB,L,0\nC,L,0\n';
  const planned = await plan(file);
  const { lent, lentCount } = planned.preview;
  assert.deepEqual(
    [lentCount, lent.map(({ line, number, name, who }) => [line, number, name, who])],
    [1, [[2, 1, 'A', '7 are lent to Bo']]],
  );
  // Nobody has seen this one.
  await lend(2, 'Cy');
  await confirm(planned, ADA, { here: 'update', asked: null });
  const { done, refusals } = await runAll(planned);
  assert.deepEqual([done.changed, done.left], [1, 2]);
  assert.match(refusals[1]?.problem ?? '', /7 are lent to Cy: return them first\. Item 2 was left/);
  const quantities = async () =>
    Promise.all([1, 2, 3].map(async (number) => (await items.find(number))?.quantity));
  assert.deepEqual(await quantities(), [7, 7, 0]);
});

testOnEngines('a plan of an older release lends a thing as a whole', async (t) => {
  const { database, items, plan, confirm, runAll } = await openImport(t);
  const planned = await plan('name,quantity,lent to\nA,5,Bo\n');
  const { work } = await database.read
    .selectFrom('import_pieces')
    .select('work')
    .executeTakeFirstOrThrow();
  const old = work.replace(/"loans":\[(.*?),"quantity":null\}\]/, '"loan":$1}');
  assert.notEqual(old, work);
  await database.write((transaction) =>
    transaction.updateTable('import_pieces').set({ work: old }).execute(),
  );
  await confirm(planned, ADA, { here: 'leave', asked: null });
  assert.equal((await runAll(planned)).done.created, 1);
  const [loan] = (await items.find(1))?.loans ?? [];
  assert.deepEqual([loan?.to, loan?.quantity], ['Bo', 5]);
});

testOnEngines('a missing column leaves its field unchanged', async (t) => {
  const { database, items, load } = await openImport(t);
  await addItem(database, THING);
  await load('name,number\nB,1\n', 'leave', 'update');
  const { name, description, quantity, location, tags } = (await items.find(1)) ?? {};
  assert.deepEqual({ name, description, quantity, location, tags }, { ...THING, name: 'B' });
});

testOnEngines('a preview names rows, lines, columns and values', async (t) => {
  const { database, plan } = await openImport(t);
  await addItem(database, THING);
  const file =
    'number,name,quantity\n,,1\n,"two\nlines",x\n9,Nine,1\nx,X,1\n,short\n,Good,1\n1,B,7\n1,C,8\n';
  const { planned, preview } = await plan(file);
  assert.deepEqual(planned, { ...NONE, create: 2, asked: 1, refuse: 5 });
  assert.deepEqual(
    preview.refused.map(({ problem, rows: [row] }) => [row?.line, row?.name, row?.cell, problem]),
    [
      [2, '', '', 'name: Enter a name'],
      [3, 'two lines', 'x', 'quantity: Quantity must be a whole number, like 3'],
      [5, 'Nine', '9', 'number: There is no such item. Leave its number empty to add it'],
      [6, 'X', 'x', 'number: It is not the number of an item'],
      [10, 'C', '1', 'number: The item is on line 9, too'],
    ],
  );
  assert.deepEqual(preview.asked, [
    { line: 9, number: 1, name: 'B', was: 'A', changes: { name: ['A', 'B'] } },
  ]);
  assert.deepEqual(
    preview.created.map(({ line, name }) => [line, name]),
    [
      [7, 'short'],
      [8, 'Good'],
    ],
  );
});

testOnEngines(
  'an item that was changed after the preview is left unchanged and named',
  async (t) => {
    const { database, items, plan, confirm, load, runAll } = await openImport(t);
    for (const name of ['A', 'B', 'C']) await addItem(database, { ...THING, name });
    const mine = await plan('number,name\n1,Mine\n2,Mine\n3,Mine\n');
    await load('number,name\n1,Theirs\n', 'leave', 'update');
    await database.write((transaction) => removeItem(transaction, 2, ADA));
    await confirm(mine, ADA, { here: 'leave', asked: 'update' });
    const { state, done, refusals } = await runAll(mine);
    assert.equal(state, 'done');
    assert.deepEqual(done, { rows: 3, created: 0, changed: 1, left: 2 });
    assert.deepEqual(refusals, [
      {
        ...{ line: 2, name: 'Mine' },
        problem: 'Somebody else has changed item 1 since the preview. It was left as it is',
      },
      {
        ...{ line: 3, name: 'Mine' },
        problem: 'Somebody else has deleted item 2 since the preview. It was left as it is',
      },
    ]);
    assert.equal((await items.find(1))?.name, 'Theirs');
    assert.equal((await items.find(3))?.name, 'Mine');
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
    const wrong = '"B" c\n'.repeat(200);
    await assert.rejects(plan(`name\n${'A\n'.repeat(2_000)}${wrong}`), /line 2002/);
    assert.equal((await imports.list(ADA)).length, 3);
    const { length } = await database.read.selectFrom('imports').select('id').execute();
    const pieces = await database.read.selectFrom('import_pieces').select('import_id').execute();
    assert.deepEqual([length, pieces.length], [3, 3]);
  },
);

const SHELF = 'Name;Location;Quantity\nDrill;Cellar;1\nSaw;;2\nDRILL;cellar;5\n';

testOnEngines('a file that is imported again adds nothing, unless it is asked for', async (t) => {
  const { database, items, imports, plan, load } = await openImport(t);
  await addItem(database, { ...THING, name: 'saw', location: '' });
  const first = await plan(SHELF);
  const counts = { ...NONE, create: 1, here: 1, doubled: 1 };
  assert.deepEqual(first.planned, counts);
  assert.deepEqual(first.preview.doubled, [{ line: 4, name: 'DRILL', first: 2 }]);
  assert.deepEqual((await load(SHELF)).done, { rows: 3, created: 1, changed: 0, left: 0 });
  const again = await load(SHELF);
  assert.deepEqual(again.planned, { ...counts, create: 0, here: 2 });
  assert.deepEqual(again.done, { rows: 3, created: 0, changed: 0, left: 0 });
  assert.equal((await imports.findSameFile(again.fileHash))?.batch, again.batch);
  // The row that is twice in the file is left out of an update.
  assert.deepEqual((await load(SHELF, 'update')).done, {
    rows: 3,
    created: 0,
    changed: 1,
    left: 0,
  });
  assert.deepEqual([(await items.find(1))?.name, (await items.find(1))?.quantity], ['Saw', 2]);
  assert.equal((await items.find(2))?.quantity, 1);
  assert.equal((await load(SHELF, 'add')).done.created, 3);
});

testOnEngines('a thing that somebody adds after the preview is not added again', async (t) => {
  const { database, items, plan, confirm, runAll } = await openImport(t);
  const mine = await plan(SHELF);
  await addItem(database, { ...THING, name: 'Drill', location: 'Cellar' });
  await confirm(mine);
  const { done, refusals } = await runAll(mine);
  assert.deepEqual(done, { rows: 3, created: 1, changed: 0, left: 1 });
  assert.equal(refusals[0]?.problem, 'Somebody else has added it since the preview');
  assert.equal(await items.lastNumber(), 2);
});

testOnEngines('columns can be chosen again until the import runs', async (t) => {
  const { database, imports, plan, confirm, find, runAll, items } = await openImport(t);
  const planned = await plan('Name,Colour\nDrill,red\n,blue\n');
  const other = await imports.planAgain(planned, {
    uses: ['in description', 'name'],
    places: null,
    currency: 'EUR',
  });
  const late = await imports.planAgain(planned, {
    uses: ['name', 'ignore'],
    places: null,
    currency: 'EUR',
  });
  const publish = (again: typeof late) =>
    database.write((transaction) => imports.publishAgain(transaction, again));
  assert.equal(await publish(late), true);
  // An earlier plan has lost its rows.
  assert.equal(await publish(other), false);
  assert.equal(await confirm(planned), 'changed');
  assert.deepEqual((await find(planned.id)).planned.create, 1);
  await confirm(await find(planned.id));
  const third = await imports.planAgain(planned, {
    uses: ['name', 'tags'],
    places: null,
    currency: 'EUR',
  });
  assert.equal(await publish(third), false);
  assert.equal((await runAll(planned)).done.created, 1);
  assert.deepEqual((await items.find(1))?.description, '');
  // The next file with the same headings has the same columns.
  const { columns } = await plan('name, colour \nSaw,red\n');
  assert.deepEqual(columns.uses, ['name', 'tags']);
  const refused = await Array.fromAsync(imports.readLeftOut(planned.id));
  assert.deepEqual(
    refused.map(({ line, cells }) => [line, cells]),
    [[3, ['', 'blue']]],
  );
});
