import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { createHistory } from '../history/item-events.ts';
import { csvHeader, csvLines } from '../items/csv.ts';
import { createItems } from '../items/item.ts';
import { createItemExport } from '../items/item-export.ts';
import { ALL_ITEMS } from '../items/item-list.ts';
import { fillItems } from '../testing/fill-items.ts';
import {
  addAccount,
  addItem,
  openTestDatabase,
  testOnEngines,
} from '../testing/open-test-database.ts';
import { importItems } from './import-items.ts';
import { ImportRefused } from './import-refused.ts';
import type { PlannedRow } from './plan-rows.ts';
import { type ReadRow, type RefusedRow, readRows } from './read-rows.ts';

const ADA = 1;

async function openImport(t: TestContext) {
  const database = await openTestDatabase(t);
  await addAccount(database, ADA, 'ada');
  const items = createItems(database);
  return {
    database,
    items,
    history: createHistory(database),
    /** All items as a CSV file. */
    async save(): Promise<string> {
      let file = csvHeader();
      const batches = await createItemExport(database)({ ...ALL_ITEMS, order: 'oldest' });
      for await (const batch of batches) file += csvLines(batch);
      return file;
    },
    async load(file: string, author: number | null = ADA) {
      const rows: PlannedRow[] = [];
      const counts = await importItems(database, items, readRows(bytesOf(file)), {
        author,
        onPiece: (piece) => rows.push(...piece),
      });
      return { counts, rows };
    },
  };
}

/** In chunks that split characters and line ends. */
async function* bytesOf(file: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(file);
  for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997);
}

async function readAll(file: string | Uint8Array): Promise<readonly (ReadRow | RefusedRow)[]> {
  const rows: (ReadRow | RefusedRow)[] = [];
  for await (const row of readRows(bytesOf(file))) rows.push(row);
  return rows;
}

testOnEngines(
  'an export that is imported again changes nothing; edited lines are edits',
  async (t) => {
    const { database, history, items, load, save } = await openImport(t);
    await fillItems(database, 450);
    const file = await save();
    const none = { create: 0, change: 0, same: 450, refuse: 0 };
    assert.deepEqual((await load(file)).counts, none);
    assert.deepEqual((await history.ofAll(10)).events, []);

    const edited = file
      .replace('Thing 7: ', 'Renamed 7: ')
      .replace('Thing 250: ', 'Renamed 250: ')
      .replace('Thing 449: ', 'Renamed 449: ');
    assert.deepEqual((await load(edited)).counts, { ...none, change: 3, same: 447 });
    const { events } = await history.ofAll(10);
    assert.deepEqual(
      events.map(({ number, kind, by }) => ({ number, kind, by })),
      [449, 250, 7].map((number) => ({ number, kind: 'changed', by: 'ada' })),
    );
    assert.match((await items.find(250))?.name ?? '', /^Renamed 250/);
    assert.deepEqual((await load(edited)).counts, none);
  },
);

testOnEngines('every text survives the way out and back', async (t) => {
  const { database, load, save } = await openImport(t);
  const texts = ['=1+1', "'=1", '-', '"', ',;\tx', 'a\nb', "''", 'ä€😀', '@x'];
  for (const text of texts)
    await addItem(database, { name: text, description: text, quantity: 0, location: '', tags: [] });
  assert.equal((await load(await save())).counts.same, texts.length);
});

testOnEngines('rows without a number add items, and a plan writes nothing', async (t) => {
  const { items, load } = await openImport(t);
  const file = 'location;name\r\nOffice;Drill\r\n;"Saw; small"\r\n';
  assert.equal((await load(file, null)).counts.create, 2);
  assert.equal(await items.range(), null);
  assert.equal((await load(file)).counts.create, 2);
  assert.equal((await items.find(1))?.location, 'Office');
  const saw = await items.find(2);
  assert.deepEqual([saw?.name, saw?.quantity, saw?.createdBy], ['Saw; small', 1, 'ada']);
});

testOnEngines('a column that is missing stays as it is', async (t) => {
  const { database, items, load } = await openImport(t);
  await addItem(database, { name: 'A', description: 'D', quantity: 7, location: 'L', tags: ['t'] });
  await load('name,number\nB,1\n');
  const { name, description, quantity, location, tags } = (await items.find(1)) ?? {};
  assert.deepEqual(
    { name, description, quantity, location, tags },
    {
      name: 'B',
      description: 'D',
      quantity: 7,
      location: 'L',
      tags: ['t'],
    },
  );
});

testOnEngines('rows that cannot be imported are named with line and column', async (t) => {
  const { load } = await openImport(t);
  const file = 'number,name,quantity\n,,1\n,"two\nlines",x\n9,Nine,1\nx,X,1\n,short\n,Good,1\n';
  const { counts, rows } = await load(file);
  assert.deepEqual(counts, { create: 1, change: 0, same: 0, refuse: 5 });
  assert.deepEqual(
    rows.flatMap((row) => (row.kind === 'refuse' ? [`${row.line} ${row.problem}`] : [])),
    [
      '2 name: Enter a name',
      '3 quantity: Quantity must be a whole number, like 3',
      '5 number: There is no item 9. Leave its number empty to add it',
      '6 number: Number must be that of an item, or empty',
      '7 It has 2 cells, and the first line names 3 columns',
    ],
  );
});

testOnEngines(
  'an item that is changed during the import is left as it is, and named',
  async (t) => {
    const { database, items } = await openImport(t);
    const thing = { name: 'A', description: '', quantity: 1, location: '', tags: [] };
    await addItem(database, thing);
    const slow = {
      read: database.read,
      write: async <T>(work: Parameters<typeof database.write<T>>[0]) => {
        await importItems(database, items, readRows(bytesOf('number,name\n1,Theirs\n')), {
          author: ADA,
        });
        return database.write(work);
      },
    };
    const rows: PlannedRow[] = [];
    await importItems(slow, items, readRows(bytesOf('number,name\n1,Mine\n')), {
      author: ADA,
      onPiece: (piece) => rows.push(...piece),
    });
    assert.deepEqual(rows, [
      {
        kind: 'refuse',
        line: 2,
        problem: 'Somebody else has changed item 1 meanwhile. It was left as it is',
      },
    ]);
    assert.equal((await items.find(1))?.name, 'Theirs');
  },
);

test('a number that comes twice is refused the second time', async () => {
  const rows = await readAll('number,name\n1,A\n1,B\n');
  assert.deepEqual(rows[1], { line: 3, problem: 'number: Item 1 is already on line 2' });
});

test('a file that is no table of items is refused with the reason', async () => {
  const cases: readonly (readonly [string | Uint8Array, RegExp])[] = [
    ['', /is empty/],
    ['number,quantity\n1,2\n', /no column “name”/],
    ['name,colour\nA,red\n', /a column “colour”, which items do not have.*number, name/],
    ['name,Name\nA,B\n', /two columns “name”/],
    ['name\n"A\n', /quote that starts on line 1 or later is not closed/],
    ['name\nA"B"\n"A"B\n', /is no CSV/],
    [Buffer.from('name\nS\xe4ge\n', 'latin1'), /not in UTF-8/],
    [`name\n${'x'.repeat(300_000)}\n`, /longer than 200,000 characters/],
  ];
  for (const [file, message] of cases)
    await assert.rejects(readAll(file), (error) => {
      assert.ok(error instanceof ImportRefused, `${error}`);
      assert.match(error.message, message);
      return true;
    });
});

test('a byte order mark, capitals, empty lines and tabs make no difference', async () => {
  const rows = await readAll('\u{feff}Name\tLOCATION\r\n\r\nA\tB\r\n');
  assert.deepEqual(
    rows.map((row) => 'values' in row && row.values),
    [{ name: 'A', location: 'B' }],
  );
});
