/** The exports of other programs, as files that look real. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createHomeboxExport } from '../testing/exports/homebox.ts';
import { createInvenTreeExport } from '../testing/exports/inventree.ts';
import type { RealExport } from '../testing/exports/make-random.ts';
import { GROCY, INVENTREE_PARTS, PART_DB, SHELF } from '../testing/exports/others.ts';
import { createSnipeItExport } from '../testing/exports/snipe-it.ts';
import { readWholeTable } from '../testing/read-whole-table.ts';

test('exports of other programs are recognized by their headings, and nobody has to say what their columns are', async () => {
  const files = [
    ['Homebox', createHomeboxExport().file],
    ['Snipe-IT', createSnipeItExport().file],
    ['InvenTree', createInvenTreeExport().file],
    ['InvenTree (parts)', INVENTREE_PARTS],
    ['Part-DB', PART_DB],
    ['Grocy', GROCY],
    ['shelf.nu', SHELF],
    [null, 'Name,Status,Category\nSaw,new,Tools\n'],
  ] as const;
  for (const [name, file] of files) {
    const { program, guesses, header } = await readWholeTable(file);
    assert.equal(program, name);
    const unsure = header.filter((_, at) => guesses[at]?.isSure !== true);
    if (name !== null)
      assert.deepEqual(
        unsure.filter((one) => !/RAM|MAC|Sensor|^manufacturing_status$/.test(one)),
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
      ['Mehl', 3, 'Amount: 3 Packs'],
      ['Olive oil', 1, 'Amount: 1 Bottle'],
      ['Batteries AA', 1, 'Amount: 0.5 Pack'],
    ],
  );
});
