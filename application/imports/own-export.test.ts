/** The export of a collection, imported into the same one and into others. */
import assert from 'node:assert/strict';
import { removeItem } from '../items/delete/delete-items.ts';
import { undoBatch } from '../items/history/undo-batch.ts';
import { lendItem, returnItem } from '../items/lend/lend-item.ts';
import { fillItems } from '../testing/fill-items.ts';
import { ADA, openImport } from '../testing/open-import.ts';
import { addItem, repeatOnEngines } from '../testing/open-test-database.ts';

const NONE = { create: 0, change: 0, same: 0, here: 0, asked: 0, doubled: 0, refuse: 0 };
const SCREEN = { name: 'Screen', description: '', quantity: 1, location: 'Office', tags: ['it'] };

repeatOnEngines(
  'an export goes into another collection whole, once, and comes back unchanged',
  async (t) => {
    const from = await openImport(t);
    await fillItems(from.database, 1_100);
    // Alike in name and place, with and without references.
    await from.load('Name;Lagerort;Inventarnummer\nScreen;Office;A1\nScreen;Office;A2\n');
    await from.load('Name;Wo;Seriennummer\nScreen;Office;A1\n', 'add');
    for (let count = 0; count < 46; count++) await addItem(from.database, SCREEN);
    const lent = (await from.items.find(7))?.loans ?? assert.fail();
    const file = await from.save();
    assert.deepEqual((await from.plan(file)).planned, { ...NONE, same: 1_149 });

    const to = await openImport(t);
    const first = await to.load(file);
    assert.deepEqual(first.planned, { ...NONE, create: 1_149 });
    assert.equal(first.done.created, 1_149);
    assert.deepEqual((await to.items.find(7))?.loans, lent);
    assert.equal(await to.save(), file);
    // Again, it is the same; so are the files that the first collection knows.
    assert.equal((await to.load(file)).done.created, 0);
    const list = 'Name;Lagerort;Inventarnummer\nScreen;Office;A1\nScreen;Office;A2\n';
    assert.deepEqual((await to.load(list)).planned, { ...NONE, here: 2 });
    await to.database.write((transaction) => undoBatch(transaction, first.batch ?? 0, ADA));
    assert.ok((await to.items.list(1)).itemCount < 1_149);
  },
);

repeatOnEngines('several loans of an item are taken over, each with its number', async (t) => {
  const from = await openImport(t);
  for (const name of ['Cable', 'Drill'])
    await addItem(from.database, { ...SCREEN, name, quantity: 12 });
  const lend = (number: number, to: string, until: string | null, quantity: number) =>
    from.database.write((transaction) =>
      lendItem(transaction, number, { to, until, quantity }, ADA),
    );
  await lend(1, '=Bo, of the choir', null, 3);
  await lend(1, 'Cy', '2026-12-24', 2);
  await lend(1, 'Cy', null, 1);
  await lend(2, 'Di', null, 12);
  const file = await from.save();
  assert.deepEqual((await from.plan(file)).planned, { ...NONE, same: 2 });
  const to = await openImport(t);
  assert.equal((await to.load(file)).done.created, 2);
  for (const number of [1, 2])
    assert.deepEqual((await to.items.find(number))?.loans, (await from.items.find(number))?.loans);
  assert.equal(await to.save(), file);
  // What nobody has is lent, with an event for each loan.
  const [item] = (await from.items.list(1, { order: 'oldest' })).items;
  for (const { at } of item?.loans ?? [])
    await from.database.write((transaction) =>
      returnItem(transaction, 1, { lent: at, part: null }, ADA),
    );
  assert.equal((await from.load(file)).done.changed, 1);
  assert.deepEqual((await from.items.find(1))?.loans, item?.loans);
  // More than there are of it are not lent.
  const { planned, preview } = await (await openImport(t)).plan(file.replace(',12,', ',5,'));
  assert.deepEqual(planned, { ...NONE, create: 1, refuse: 1 });
  assert.match(preview.refused[0]?.problem ?? '', /More would be lent than there is/);
});

repeatOnEngines('numbers of another collection are those of other things', async (t) => {
  const from = await openImport(t);
  for (const name of ['Drill', 'Saw', 'Axe']) await addItem(from.database, { ...SCREEN, name });
  const file = await from.save();
  const to = await openImport(t);
  for (const name of ['Chair', 'Table']) await addItem(to.database, { ...SCREEN, name });
  // The numbers are those of other items, and one of these has since got the name of another row.
  await addItem(to.database, { ...SCREEN, name: 'Drill' });
  const { planned, done } = await to.load(file);
  assert.deepEqual([planned, done.created], [{ ...NONE, create: 2, here: 1 }, 2]);
  assert.equal((await to.items.find(1))?.name, 'Chair');
  assert.deepEqual((await to.load(file)).planned, { ...NONE, here: 3 });
  // In its own collection, the file renames an item by its number.
  const renamed = file.replace('Drill', 'Hammer drill');
  assert.equal((await from.load(renamed)).done.changed, 1);
  assert.equal((await from.items.find(1))?.name, 'Hammer drill');
  // An item that was deleted here does not come back by itself.
  await from.database.write((transaction) => removeItem(transaction, 2, ADA));
  const again = await from.plan(file);
  assert.match(again.preview.refused[0]?.problem ?? '', /The item was deleted\. Restore it/);
});

repeatOnEngines('an export without the column of the times is taken over whole', async (t) => {
  const { load, items } = await openImport(t);
  const rows = Array.from({ length: 60 }, (_, at) => `${at + 3},Screen,,1,Office,,`);
  const file = `number,name,description,quantity,location,tags,minimum\n${rows.join('\n')}\n`;
  assert.deepEqual((await load(file)).done.created, 60);
  const again = await load(file);
  assert.deepEqual([again.done.created, again.done.changed], [0, 0]);
  assert.equal((await items.list(1)).itemCount, 60);
});

repeatOnEngines('who has a thing is taken over as a loan, and ends none', async (t) => {
  const { database, items, load, plan } = await openImport(t);
  const file =
    'Asset Name,Model,Checked Out To,Expected Checkin Date\nLaptop 1,X1,Bo,2026-12-24\n,X2,n/a,\n';
  const first = await load(file);
  assert.equal(first.done.created, 2);
  const [loan] = (await items.find(1))?.loans ?? [];
  assert.deepEqual([loan?.to, loan?.until], ['Bo', '2026-12-24']);
  assert.equal((await items.find(2))?.name, 'X2');
  assert.equal((await items.find(2))?.loans.length, 0);
  // An update lends what nobody has, and takes nothing from anybody.
  const later = file.replace('Bo', 'Cy').replace('n/a', 'Di');
  assert.deepEqual((await plan(later)).preview.here.length, 1);
  assert.equal((await load(later, 'update')).done.changed, 1);
  assert.equal((await items.find(1))?.loans[0]?.to, 'Bo');
  assert.equal((await items.find(2))?.loans[0]?.to, 'Di');
  await database.write((transaction) => undoBatch(transaction, first.batch ?? 0, ADA));
  assert.equal((await items.find(1)) === null, true);
});
