/** The exports of other programs, as files that look real. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { NO_DEFINITIONS } from '../own-fields/definitions.ts';
import { createHomeboxExport, createHomeboxZip } from '../testing/exports/homebox.ts';
import { createInvenTreeExport } from '../testing/exports/inventree.ts';
import type { RealExport } from '../testing/exports/make-random.ts';
import {
  GROCY,
  INVENTREE_PARTS,
  INVENTREE_STOCK,
  PART_DB,
  PART_DB_EXPORT,
  SHELF,
  SHELF_IMPORT,
  SNIPE_IT_REPORT,
} from '../testing/exports/others.ts';
import { createSnipeItExport } from '../testing/exports/snipe-it.ts';
import { readWholeTable } from '../testing/read-whole-table.ts';
import { toOwnColumns } from './own-columns.ts';
import { openPhotoZip } from './zip/open-photo-zip.ts';

test('exports of other programs are recognized by their headings, and nobody has to say what their columns are', async () => {
  const files = [
    ['Homebox', createHomeboxExport().file],
    ['Snipe-IT', createSnipeItExport().file],
    ['InvenTree', createInvenTreeExport().file],
    ['Snipe-IT', SNIPE_IT_REPORT],
    ['InvenTree', INVENTREE_STOCK],
    ['InvenTree (parts)', INVENTREE_PARTS],
    ['Part-DB', PART_DB],
    ['Part-DB', PART_DB_EXPORT],
    ['Grocy', GROCY],
    ['shelf.nu', SHELF],
    ['shelf.nu (for its import)', SHELF_IMPORT],
    [null, 'Name,Status,Category\nSaw,new,Tools\n'],
  ] as const;
  for (const [name, file] of files) {
    const { program, guesses, header } = await readWholeTable(file);
    assert.equal(program, name);
    const unsure = header.filter((_, at) => guesses[at]?.isSure !== true);
    if (name !== null)
      assert.deepEqual(
        unsure.filter((one) => !/RAM|MAC|Sensor|^partLots\.1|^cf:/.test(one)),
        [],
        name,
      );
  }
});

for (const make of [createHomeboxExport, createSnipeItExport, createInvenTreeExport]) {
  const { name, file, things }: RealExport = make();
  test(`each of ${things.length} things in ${name} has its name, place, quantity and borrower`, async () => {
    const { rows } = await readWholeTable(file);
    const read = rows.flatMap((row) => ('values' in row ? [row] : []));
    assert.deepEqual(
      read.map(({ values, loans }) => {
        const { name, location, quantity = 1, serial } = values;
        return { name, location, quantity, serial, lentTo: loans[0]?.to };
      }),
      things.map(({ name, location, quantity, serial, lentTo }) => {
        return { name, location, quantity, serial, lentTo };
      }),
    );
    assert.equal(new Set(read.map(({ sources: [source] }) => source?.text)).size, things.length);
  });
}

test('the zip of Homebox has the same things as its CSV, with their photos in their order', async () => {
  const { name, zip: bytes, things, photos } = createHomeboxZip();
  const source = {
    ...{ name, size: bytes.length, sha256: '' },
    async *chunks({ first, last } = { first: 0, last: bytes.length - 1 }) {
      yield bytes.subarray(first, last + 1);
    },
  };
  const { table, names, files } = await openPhotoZip(source);
  const lines = Buffer.concat(await Array.fromAsync(table?.chunks() ?? []));
  const csv = await readWholeTable(createHomeboxExport().file);
  const { program, uses, rows } = await readWholeTable(lines);
  assert.equal(program, 'Homebox');
  assert.ok(uses.includes('photos'));
  const read = (all: typeof rows) =>
    all.flatMap((row) =>
      'values' in row ? [{ ...row.values, sources: row.sources.map(({ text }) => text) }] : [],
    );
  assert.equal(read(rows).length, things.length);
  assert.deepEqual(
    read(rows).map(({ description: _, ...one }) => one),
    read(csv.rows).map(({ description: _, ...one }) => one),
  );
  const named = rows.flatMap((row) => {
    if (!('values' in row) || row.photos.length === 0) return [];
    return [[row.sources[0]?.text, row.photos.map((path) => names.get(path)?.name)] as const];
  });
  assert.deepEqual(new Map(named), photos);
  assert.ok(files.every(({ path }) => names.has(path)));
  assert.ok(![...names.values()].some((one) => one.name === 'thumbnail'));
});

test('places of Homebox, and parts of a thing, are read as what they are', async () => {
  const { rows } = await readWholeTable(createHomeboxExport(3).file);
  const [first] = rows;
  assert.ok(first !== undefined && 'problems' in first);
  assert.equal(first.problems[0]?.message, 'It is a place of Homebox, and no thing');
  const grocy = await readWholeTable(GROCY);
  assert.deepEqual(
    grocy.rows.map(
      (row) =>
        'values' in row && [
          row.values.name,
          row.values.quantity,
          row.values.description?.split('\n')[0],
        ],
    ),
    [
      ['Mehl', 3, 'Type 550'],
      ['Olive oil', 1, 'Amount: 1 Bottle'],
      ['Batteries AA', 1, 'Amount: 0.5 Pack'],
    ],
  );
});

/** What each thing becomes: its fields, its own values by their labels, and who has it. */
async function readThings(file: string) {
  const table = await readWholeTable(file, { canMake: true });
  const own = toOwnColumns({ ...table, rows: 0, lines: null }, NO_DEFINITIONS);
  return table.rows.map((row) => {
    if ('problems' in row) return row.problems.map(({ message }) => message).join();
    const { values, loans, sources } = row;
    const { description = '', tags = [], ...fields } = values;
    return {
      ...{ ...fields, reference: sources[0]?.text, lentTo: loans[0]?.to },
      description: description.split('\n'),
      own: Object.fromEntries(
        own.flatMap((column) => {
          const value = row.own[column?.key ?? ''];
          return column === null || !value ? [] : [[column.label, value]];
        }),
      ),
    };
  });
}

test('of two columns “Status”, the text of InvenTree counts, and not its key', async () => {
  const [, thing] = await readThings(INVENTREE_STOCK);
  assert.deepEqual(thing, {
    ...{ name: 'R_1', quantity: 1, location: 'Workshop, Drawer A', serial: 'S1' },
    ...{ reference: '2', lentTo: undefined, description: ['ID: 2'] },
    own: { Status: 'Damaged', 'Batch code': 'B-1', IPN: 'RES-1' },
  });
});

test('a part of Part-DB with two lots has the first place, and the other as lines', async () => {
  const [part] = await readThings(PART_DB_EXPORT);
  assert.deepEqual(part, {
    ...{ name: 'BC547', quantity: 12, minimum: 20, location: 'Room 1, Shelf 1', kind: -1 },
    ...{ code: '4006381333931', reference: '4006381333931', lentTo: undefined },
    description: [
      ...['partLots.0.amount: 5', 'partLots.1.storage_location.full_name: Cellar'],
      'partLots.1.amount: 7',
    ],
    own: {
      ...{ Favorite: 'no', 'Needs review': 'yes', Footprint: 'TO->TO-92', Manufacturer: 'Onsemi' },
      ...{ 'Expiration date': '2027-01-31', Price: '2.30', IPN: 'IC-1' },
    },
  });
  const [, wire] = await readThings(PART_DB);
  assert.deepEqual(typeof wire === 'object' && wire.own, {
    ...{ Favorite: 'yes', 'Needs review': 'yes', Price: '1.25', IPN: 'INT-12', Unit: 'Meter' },
  });
});

test('both exports of shelf.nu tell the same of a thing', async () => {
  const [, pens] = await readThings(SHELF);
  assert.deepEqual(pens, {
    // Not the kind “Uncategorized”.
    ...{ name: 'Pens', quantity: 100, minimum: 5, location: '', code: '', serial: '', kind: null },
    ...{ reference: 'SAM-0002', lentTo: 'Zoë Brown' },
    description: ['Asset ID: SAM-0002', 'QR ID: clx2', 'Quantity: 100 boxes'],
    own: {
      ...{ Status: 'CHECKED_OUT', 'Available to book': 'no' },
      'Tracking method': 'Tracked by quantity',
    },
  });
  const [, same] = await readThings(SHELF_IMPORT);
  assert.deepEqual(same, {
    ...{ name: 'Pens', quantity: 500, minimum: 50, location: '', serial: '', kind: null },
    ...{ code: '4006381333931', reference: 'clx2', lentTo: 'Zoë Brown', description: ['id: clx2'] },
    own: {
      ...{ Value: '2.50', 'Available to book': 'no', 'Tracking method': 'QUANTITY_TRACKED' },
      ...{ Unit: 'boxes', 'Consumption type': 'ONE_WAY', Fragile: 'no' },
    },
  });
});

test('the custom report of Snipe-IT is read as its list, without what was deleted', async () => {
  const [laptop, beamer, deleted] = await readThings(SNIPE_IT_REPORT);
  assert.deepEqual(laptop, {
    ...{ name: 'ThinkPad T14', location: 'Berlin', serial: 'PF1', kind: -1 },
    ...{ reference: 'A-1', lentTo: 'Zoë Brown' },
    description: [
      ...['- worn', 'Asset Tag: A-1', 'City: Berlin', 'Username: zoe', 'Email: zoe@example.org'],
      'Phone: +49 30 1234',
    ],
    own: {
      ...{ Model: 'ThinkPad T14', 'Model number': '21HD', Manufacturer: 'Lenovo', RAM: '16' },
      ...{ 'Purchase date': '2024-03-09', 'Purchase cost': '1299.95', 'Current value': '649.98' },
      ...{ 'End of life': '2028-03-09', Warranty: '36', Status: 'Deployed (deployed)' },
    },
  });
  assert.equal(typeof beamer === 'object' && beamer.name, 'Beamer');
  assert.equal(deleted, 'It was deleted in Snipe-IT');
});

test('what never goes bad in Grocy has no due date', async () => {
  const [flour, , batteries] = await readThings(GROCY);
  const dueOf = (thing: typeof flour) => typeof thing === 'object' && thing.own['Next due date'];
  assert.deepEqual([dueOf(flour), dueOf(batteries)], ['2027-01-31', undefined]);
});
