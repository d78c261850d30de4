import assert from 'node:assert/strict';
import test from 'node:test';
import { bytesOf } from '../testing/open-import.ts';
import { ImportRefused } from './import-refused.ts';
import { type ReadRow, type RefusedRow, readRows } from './read-rows.ts';

async function readAll(file: string | Uint8Array): Promise<readonly (ReadRow | RefusedRow)[]> {
  const rows: (ReadRow | RefusedRow)[] = [];
  for await (const row of readRows(bytesOf(file))) rows.push(row);
  return rows;
}

test('the second row with the same number is refused', async () => {
  const rows = await readAll('number,name\n1,A\n1,B\n');
  assert.deepEqual(rows[1], { line: 3, problem: 'number: Item 1 is already on line 2' });
});

test('a file that is not a table of items is refused with the reason', async () => {
  const cases: readonly (readonly [string | Uint8Array, RegExp])[] = [
    ['', /is empty/],
    ['number,quantity\n1,2\n', /no column “name”/],
    ['name,colour\nA,red\n', /a column “colour”, which items do not have.*number, name/],
    ['name,Name\nA,B\n', /two columns “name”/],
    ['name\n"A\n', /quote that starts on line 1 or later is not closed/],
    ['name\nA"B"\n"A"B\n', /is not valid CSV/],
    [Buffer.from('name\nS\xe4ge\n', 'latin1'), /not in UTF-8/],
    [`name\n${'x'.repeat(10_000_000)}\n`, /line 2 is longer than 200,000 characters/],
    ['x'.repeat(300_000), /longer than 200,000 characters/],
    [Buffer.from('PK\u{3}\u{4}rest'), /is a workbook/],
    [Buffer.from('\u{feff}name\nA\n', 'utf16le').subarray(0, -1), /not in UTF-8/],
    ['\0\0\0\0', /a column “\0/],
    ['%PDF-1.7\n', /a column “%PDF-1.7”, which items do not have/],
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

test('empty lines count as lines', async () => {
  const rows = await readAll('\r\nname,tags\r\n\r\n\r\n"A","b\n\nc"\r\n\r\nB,\r\n');
  assert.deepEqual(
    rows.map(({ line }) => line),
    [5, 9],
  );
});

test('UTF-16 with a byte order mark is read, as Excel writes it', async () => {
  const text = Buffer.from('\u{feff}name\tlocation\r\nSäge 😀\tKüche\r\n', 'utf16le');
  for (const file of [text, Buffer.from(text).swap16()]) {
    const rows = await readAll(file);
    assert.deepEqual(
      rows.map((row) => 'values' in row && row.values),
      [{ name: 'Säge 😀', location: 'Küche' }],
    );
  }
});

test('a file that ends in the middle of a row names the row', async () => {
  assert.deepEqual((await readAll('number,name,location\n,A,B\n,C'))[1], {
    line: 3,
    problem: 'It has 2 cells, and the first line names 3 columns',
  });
  await assert.rejects(readAll('number,name\n,"A'), /not closed/);
});

test('a NUL, a formula and a long text are refused or read as text', async () => {
  const [nul, formula, long] = await readAll(`name\nA\0B\n=1+1\n${'x'.repeat(121)}\n`);
  assert.match(JSON.stringify(nul), /name “A B”: It must not contain a NUL character/);
  assert.deepEqual(formula, { line: 3, number: null, values: { name: '=1+1' } });
  assert.match(JSON.stringify(long), /name “x{40}…”: /);
});
