import assert from 'node:assert/strict';
import test from 'node:test';
import { readWholeTable } from '../testing/read-whole-table.ts';
import { describeNote } from './cell-note.ts';

/** Each row as its quantity and notices, or as its problems. */
async function readQuantities(cells: readonly string[]): Promise<readonly string[]> {
  const { rows } = await readWholeTable(
    `name\tquantity\n${cells.map((one) => `A\t${one}\n`).join('')}`,
  );
  return rows.map((row) =>
    'problems' in row
      ? row.problems.map(describeNote).join('; ')
      : [row.values.quantity, ...row.notices.map(describeNote)].join('; '),
  );
}

test('numbers are read as people write them, and said', async () => {
  const cases: readonly (readonly [string, string])[] = [
    ['3', '3'],
    ['', '1'],
    ['-', '1'],
    ['007', '7; quantity “007”: read as 7'],
    ['3,00', '3; quantity “3,00”: read as 3'],
    ['１２', '12; quantity “１２”: read as 12'],
    ['٣', '3; quantity “٣”: read as 3'],
    ['๓', '3; quantity “๓”: read as 3'],
    ['１，２３４', '1234; quantity “１，２３４”: read as 1234'],
    ['3.0', '3; quantity “3.0”: read as 3'],
    ['1.234', '1234; quantity “1.234”: read as 1234'],
    ['1,234', '1234; quantity “1,234”: read as 1234'],
    ["1'234", "1234; quantity “1'234”: read as 1234"],
    ['1 234', '1234; quantity “1 234”: read as 1234'],
    ['1.234,00', '1234; quantity “1.234,00”: read as 1234'],
    ['12,345.0', '12345; quantity “12,345.0”: read as 12345'],
    ['3 Stk.', '3; quantity “3 Stk.”: read as 3'],
    ['3pcs', '3; quantity “3pcs”: read as 3'],
    ['ca. 3', '3; quantity “ca. 3”: read as 3'],
    ['2,5', 'quantity “2,5”: It is not a whole number'],
    ['0.500', 'quantity “0.500”: It is not a whole number'],
    ['1.23.4', 'quantity “1.23.4”: Quantity must be a whole number, like 3'],
    ['-3', 'quantity “-3”: Quantity must be between 0 and 1,000,000'],
    ['many', 'quantity “many”: Quantity must be a whole number, like 3'],
    ['2,000,000', 'quantity “2,000,000”: Quantity must be between 0 and 1,000,000'],
  ];
  // Each in a column of its own.
  for (const [cell, expected] of cases) assert.deepEqual(await readQuantities([cell]), [expected]);
});

test('whether a mark separates thousands, the whole column tells', async () => {
  const [thousand] = await readQuantities(['1.234', '3,00']);
  assert.equal(thousand, '1234; quantity “1.234”: read as 1234');
  const [fraction, whole, million] = await readQuantities(['1.234', '3.000', '1.234.567', '3.5']);
  assert.equal(fraction, 'quantity “1.234”: It is not a whole number');
  assert.equal(whole, '3; quantity “3.000”: read as 3');
  assert.match(million ?? '', /between 0 and/);
});

test('a unit that is not “pieces”, a reference and an unknown column are kept as lines', async () => {
  const { rows } = await readWholeTable(
    'Inventarnummer;Name;Menge;Bemerkung;Farbe;\nA-1;Kabel;5 m;alt;rot;x\n;Säge;;;;\n',
  );
  const read = rows.flatMap((row) => ('values' in row ? [row] : []));
  assert.equal(read[0]?.sources[0]?.text, 'A-1');
  const shown = read.map(({ sources: _sources, ...row }) => row);
  assert.deepEqual(shown, [
    {
      ...{ line: 2, name: 'Kabel', number: null, added: null, photos: [], loans: [], own: {} },
      values: {
        name: 'Kabel',
        quantity: 5,
        description: 'alt\nInventarnummer: A-1\nMenge: 5 m\nFarbe: rot\nx',
      },
      notices: [
        { column: 'Menge', cell: '5 m', message: 'read as 5, and kept in the description' },
      ],
    },
    {
      ...{ line: 3, name: 'Säge', number: null, added: null, photos: [], loans: [], own: {} },
      ...{ values: { name: 'Säge', quantity: 1, description: '' }, notices: [] },
    },
  ]);
});

test('a minimum of 0 or “-” is none', async () => {
  const { rows } = await readWholeTable('name;minimum\nA;0\nA;0,00\nA;-\nA;\nA;2\n');
  assert.deepEqual(
    rows.map((row) => 'values' in row && row.values.minimum),
    [null, null, null, null, 2],
  );
});

test('tags are separated by commas, semicolons and pipes; in an own export by commas', async () => {
  const cells = '"a; b|c,d\ne/f"';
  const { rows } = await readWholeTable(`name,tags\nA,${cells}\n`);
  const [own] = (await readWholeTable('number,name,tags\n7,A,"a; b|c,d"\n')).rows;
  assert.deepEqual(
    [...rows, own].map((row) => row !== undefined && 'values' in row && row.values.tags),
    [
      ['a', 'b', 'c', 'd', 'e/f'],
      ['a; b|c', 'd'],
    ],
  );
});

test('a row that cannot be read is refused with all reasons', async () => {
  const long = 'x'.repeat(121);
  const { rows } = await readWholeTable(
    `number,name,quantity\n0,,many\n,A\0B,1\n,=1+1,1\n,${long},1\n${',C,1\n'.repeat(30)},C,1,2\n`,
  );
  const read = rows.map((row) =>
    'problems' in row ? row.problems.map(describeNote) : row.values.name,
  );
  const [first, nul, formula, cut] = read;
  assert.deepEqual(first, [
    'number “0”: It is not the number of an item',
    'name: Enter a name',
    'quantity “many”: Quantity must be a whole number, like 3',
  ]);
  assert.deepEqual(nul, ['name “A B”: It must not contain a NUL character']);
  assert.equal(formula, '=1+1');
  assert.match(`${cut}`, /^name “x{40}…”: Name must be 120 characters or less/);
  assert.deepEqual(read.at(-1), ['Column 4 “2”: The row has more cells than the 3 headings']);
  const [refused] = rows;
  assert.equal(refused?.name, '');
});
