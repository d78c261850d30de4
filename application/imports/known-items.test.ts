/** Which rows of a file are items that are here: what earlier files have told, and what they cannot tell. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { removeItem } from '../items/delete/delete-items.ts';
import { editItem } from '../items/edit/edit-item.ts';
import { EMPTY_ITEM, ITEM_FIELDS } from '../items/item-fields.ts';
import { ADA, openImport } from '../testing/open-import.ts';
import { addItem, repeatOnEngines } from '../testing/open-test-database.ts';
import { isPlaceholder } from './file-sources.ts';
import type { Import } from './import-row.ts';
import { listWords } from './same-text.ts';

const THING = { description: '', quantity: 1, location: '', tags: [] };

async function open(t: TestContext) {
  const opened = await openImport(t);
  const { database, imports } = opened;
  return {
    ...opened,
    /** Name, location and quantity of all items. */
    async all(): Promise<readonly string[]> {
      const rows = await database.read
        .selectFrom('items')
        .select(['name', 'location', 'quantity'])
        .orderBy('number')
        .execute();
      return rows.map(({ name, location, quantity }) => `${name}|${location}|${quantity}`);
    },
    async edit(number: number, to: { readonly name?: string; readonly location?: string }) {
      const { version, ...before } = (await opened.items.find(number)) ?? assert.fail();
      const keep = ITEM_FIELDS.filter((name) => name !== 'name' && name !== 'location');
      const { name, location } = { ...before, ...to };
      const edit = { input: { ...EMPTY_ITEM, name, location }, version, keep };
      await database.write((transaction) => editItem(transaction, number, edit, ADA));
    },
    async leftOut({ id }: Import): Promise<readonly string[]> {
      const rows = await Array.fromAsync(imports.readLeftOut(id));
      return rows.map(({ line, problem }) => `${line}: ${problem}`);
    },
  };
}

test('a text without a number in it is no reference', () => {
  const placeholders = listWords(`
    siehe Typenschild, -, --, n/a, N/A, n. a., k.A., k. A., K.A, ?, ???, 0, 000, ohne, Ohne Nummer, unbekannt,
    Unbekannt., none, null, keine, xxx, x, /, ./., TBD, siehe Gerät, see label, voir étiquette, néant, entfällt, なし, *`);
  assert.deepEqual(
    placeholders.filter((text) => !isPlaceholder(text)),
    [],
  );
  const references = listWords('A1, 7, 007, X1, K-A-3, SN 12, ohne-17, siehe 12, Ä, NAS, See4');
  assert.deepEqual(references.filter(isPlaceholder), []);
});

repeatOnEngines('things with a placeholder for a reference are different things', async (t) => {
  const { load, all, plan } = await open(t);
  for (const text of ['siehe Typenschild', 'k.A.', '0', 'am Gerät']) {
    const file = ['Drill', 'Saw', 'Axe']
      .map((name) => `${name} ${text};Cellar;2;${text}`)
      .join('\n');
    const first = await load(`Name;Ort;Menge;Seriennummer\n${file}\n`);
    assert.equal(first.done.created, 3, text);
    assert.match(first.preview.notices[0]?.examples[0]?.message ?? '', /^is not a reference/);
    const again = await load(`Name;Ort;Menge;Seriennummer\n${file}\n`, 'update');
    assert.deepEqual([again.planned.here, again.done.changed], [3, 0]);
  }
  assert.equal((await all()).length, 12);
  // It stands beside one name in this file, and beside another one in the next.
  await load('Name;Seriennummer\nHammer;auf der Rückseite\n');
  const other = await plan('Name;Seriennummer\nPliers;auf der Rückseite\n');
  assert.equal(other.planned.asked, 1);
});

repeatOnEngines('a reference of an item with another name is asked about', async (t) => {
  const { database, plan, confirm, load, runAll, all, leftOut, imports } = await open(t);
  const list = 'Inventarnummer;Name\n1;Chair\n2;Table\n';
  const other = 'Inventarnummer;Name\n1;Drill\n2;Table\n';
  await load(list);
  const planned = await plan(other);
  assert.deepEqual([planned.planned.asked, planned.planned.here], [1, 1]);
  assert.deepEqual(
    planned.preview.asked.map(({ line, name, number, was }) => [line, name, number, was]),
    [[2, 'Drill', 1, 'Chair']],
  );
  assert.deepEqual(await leftOut(planned), [
    '2: It has the reference or the number of item 1, which has another name',
    '3: It is already here, as item 2',
  ]);
  // Nothing runs before somebody has answered.
  assert.equal(await confirm(planned), 'unanswered');
  assert.equal(await imports.findWaiting(), null);
  await confirm(planned, ADA, { here: 'leave', asked: 'leave' });
  const left = await runAll(planned);
  assert.deepEqual([left.done.created, left.done.changed, left.leftOut], [0, 0, 2]);
  assert.equal((await leftOut(left)).length, 2);
  assert.deepEqual(await all(), ['Chair||1', 'Table||1']);
  // Other things are added once, and the reference is that of both.
  await load(other, 'leave', 'add');
  assert.deepEqual((await load(other)).planned.here, 2);
  assert.deepEqual((await load(list)).planned.here, 2);
  assert.deepEqual(await all(), ['Chair||1', 'Table||1', 'Drill||1']);
  // The same thing gets its new name, and is known by both.
  const renamed = 'Inventarnummer;Name\n2;Desk\n';
  assert.equal((await load(renamed, 'leave', 'update')).done.changed, 1);
  assert.deepEqual((await all())[1], 'Desk||1');
  assert.deepEqual((await load(list)).planned.here, 2);
  assert.equal((await load(renamed)).planned.here, 1);
  // Without the item, the reference is that of a new one.
  await database.write((transaction) => removeItem(transaction, 2, ADA));
  assert.equal((await load(renamed)).done.created, 1);
  assert.equal((await load(renamed)).done.created, 0);
  assert.equal((await all()).length, 3);
});

repeatOnEngines('the references of another kind of file are those of other things', async (t) => {
  const { load, all } = await open(t);
  await load('Inventarnummer;Bezeichnung\n1;Chair\n2;Table\n3;Lamp\n');
  const other = 'Inventarnummer;Gerät;Raum\n1;Drill;R1\n2;Saw;R1\n3;Axe;R2\n';
  const { planned, done } = await load(other, 'update', 'update');
  assert.deepEqual([planned.create, planned.asked, done.created], [3, 0, 3]);
  assert.equal((await load(other)).planned.here, 3);
  // The same thing in both lists is one.
  assert.equal((await load('Inventarnummer;Gerät;Raum\n9;Chair;\n')).planned.here, 1);
  assert.equal((await all()).length, 6);
  // A list that gets another column is the same list.
  const wider = 'Farbe;Inventarnummer;Bezeichnung\nred;1;Stool\n';
  assert.equal((await load(wider)).planned.asked, 1);
});

repeatOnEngines('a reference from before counts for each kind of file', async (t) => {
  const { database, items, load } = await open(t);
  const number = await addItem(database, { ...THING, name: 'Screen' });
  await database.write((transaction) =>
    transaction
      .insertInto('item_sources')
      .values({ source: 'A1', kind: '', item_number: number })
      .execute(),
  );
  assert.equal((await load('Name,Asset tag\nScreen,A1\n')).planned.here, 1);
  assert.equal((await load('Name,Inventarnummer\nMonitor,A1\n')).planned.asked, 1);
  assert.equal((await load('Name,Inventarnummer\nScreen,A2\n')).done.created, 1);
  assert.equal((await items.list(1)).itemCount, 2);
});

repeatOnEngines(
  'a row that an import has added or found is known after its item was moved',
  async (t) => {
    const { database, load, all, edit } = await open(t);
    // It was here before.
    await addItem(database, { ...THING, name: 'Drill', location: 'Cellar' });
    const file = 'Name;Ort;Menge\nDrill;Cellar;1\nSaw;Cellar;1\nDrill;Attic;1\n';
    assert.equal((await load(file)).done.created, 2);
    await edit(1, { location: 'Attic' });
    await edit(2, { name: 'Handsaw', location: 'Office' });
    const { planned, done } = await load(file);
    assert.deepEqual([planned.here, done.created], [3, 0]);
    // The row of a file of another kind is not known by it.
    assert.equal((await load('Ding;Wo\nSaw;Cellar\n')).planned.create, 1);
    // Corrected in the file as here, it is known by its new name.
    assert.equal((await load('Name;Ort;Menge\nHandsaw;Office;1\n')).planned.here, 1);
    assert.deepEqual((await load(file)).planned.here, 3);
    // A further drill in the attic is a new one: the first two stand for the rows of the file.
    await edit(3, { location: 'Roof' });
    const more = `${file}Drill;Roof;1\n`;
    assert.deepEqual((await load(more)).done.created, 1);
    assert.equal((await load(more)).planned.here, 4);
    assert.equal((await all()).filter((one) => one.startsWith('Drill')).length, 3);
  },
);

repeatOnEngines('spaces and characters that show nothing make no new thing', async (t) => {
  const { database, load, all } = await open(t);
  for (const [name, location] of [
    ['Drill big', 'Workshop, Shelf 1'],
    ['Saw\u00a0big', 'Workshop,Shelf 1'],
    ['Axe  big', 'Workshop , Shelf 1'],
    ['Akku\u00adsäge', 'Workshop\u00a0, Shelf  1'],
    ['ÄPFEL\u202fROT', ''],
    ['מקדחה', ''],
    ['\u200fמסור\u200e', 'A\u200e'],
  ] as const)
    await addItem(database, { ...THING, name, location });
  const rows = [
    'Drill\u00a0big;Workshop,Shelf 1',
    'Saw big;Workshop, Shelf\u00a01',
    'axe big;Workshop,Shelf 1',
    'Akkusäge;Workshop,Shelf 1',
    'Äpfel  rot;',
    '\u202bמקדחה\u202c;',
    '\u200fמסור\u200e;A\u200e',
  ];
  const { planned, done } = await load(`Name;Ort\n${rows.join('\n')}\n`);
  assert.deepEqual([planned.here, done.created], [7, 0]);
  assert.equal((await all()).length, 7);
  // Of a reference, too.
  await load('Inventarnummer;Name\nA 1;Box\n');
  const again = await load('Inventarnummer;Name\n\u202aA\u00a01\u200b\u202c;Box 2\n');
  assert.equal(again.planned.asked, 1);
});

repeatOnEngines('a number of another program renames nothing', async (t) => {
  const { database, plan, load, all } = await open(t);
  await addItem(database, { ...THING, name: 'Chair', quantity: 4 });
  await addItem(database, { ...THING, name: 'Table' });
  const file = 'number,name,quantity\n1,Alpha drill,2\n2,table,7\n';
  const { columns, planned } = await plan(file);
  assert.equal(columns.areSure, true, 'it was chosen');
  assert.deepEqual([planned.asked, planned.change], [1, 1]);
  await load(file, 'update', 'add');
  assert.deepEqual(await all(), ['Chair||4', 'table||7', 'Alpha drill||2']);
  const again = await load(file, 'leave');
  assert.deepEqual([again.planned.asked, again.planned.here, again.planned.same], [0, 1, 1]);
  // The headings of an export are those of a collection.
  const own = 'number,name,description,quantity,location,tags,minimum\n1,Stool,,4,,,\n';
  assert.equal((await load(own)).done.changed, 1);
});
