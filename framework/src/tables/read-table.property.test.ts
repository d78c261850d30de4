/**
 * Any table, as any program may have written it and whatever became of its quotes and line ends: each row is read or
 * refused with its line, and none is missing.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { encodeText } from '../testing/encode-text.ts';
import { readWholeTable } from '../testing/read-whole-table.ts';

const text = fc
  .array(
    fc.constantFrom('a', 'ä', '5"', '"', '""', ',', ';', '\t', '|', '\\', '\n', '\r\n', ' ', '/'),
    {
      maxLength: 6,
    },
  )
  .map((parts) => `x${parts.join('')}x`);

const table = fc.record({
  rows: fc.array(
    fc.record({
      note: text,
      quantity: fc.constantFrom('', '1', '3,00', 'many'),
      lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
      /** What a program or a person has done to the line. */
      damage: fc.constantFrom(
        'none',
        'none',
        'none',
        'quotes lost',
        'one quote lost',
        'one quote more',
      ),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  quotes: fc.constantFrom('always', 'if needed'),
  escape: fc.constantFrom('"', '\\'),
  encoding: fc.constantFrom('utf-8', 'utf-16le', 'windows-1252', 'cp850', 'macintosh'),
  at: fc.nat(),
});

type Table = typeof table extends fc.Arbitrary<infer One> ? One : never;

/** The file, and for each thing the line on which it begins. */
function write({ rows, delimiter, quotes, escape: mark, encoding, at }: Table) {
  const cell = (one: string) => {
    if (quotes === 'if needed' && !/["\r\n,;\t|\\]/.test(one) && one.trim() === one) return one;
    const escaped = mark === '"' ? one.replaceAll('"', '""') : one.replaceAll(/["\\]/g, '\\$&');
    return `"${escaped}"`;
  };
  let file = `${['name', 'description', 'quantity'].map(cell).join(delimiter)}\r\n`;
  const lines = rows.map(({ note, quantity, damage, lineEnd }, index) => {
    const line = file.split(/\r\n|\n|\r/).length;
    const whole = [`Thing${index}.`, note, quantity].map(cell).join(delimiter);
    const places = [...whole.matchAll(/"/g)].map((match) => match.index);
    const place = places[at % Math.max(places.length, 1)] ?? 0;
    const damaged =
      damage === 'quotes lost'
        ? whole.replaceAll('"', '')
        : damage === 'one quote lost'
          ? whole.slice(0, place) + whole.slice(place).replace('"', '')
          : damage === 'one quote more'
            ? `${whole.slice(0, place)}"${whole.slice(place)}`
            : whole;
    file += damaged + lineEnd;
    return line;
  });
  const bytes =
    encoding === 'utf-8'
      ? Buffer.from(file)
      : encoding === 'utf-16le'
        ? Buffer.from(`\u{feff}${file}`, 'utf16le')
        : encodeText(file, encoding);
  return { bytes, lines };
}

test('each row of a table is read or refused, with its line', async () => {
  await fc.assert(
    fc.asyncProperty(table, async (made) => {
      const { bytes, lines } = write(made);
      const read = await readWholeTable(bytes);
      const isWhole = made.rows.every(({ damage }) => damage === 'none');
      for (const [index, { note }] of made.rows.entries()) {
        const found = read.lines.filter(({ cells }) => cells.join('\n').includes(`Thing${index}.`));
        assert.equal(found.length, 1, `Thing${index}.`);
        const [{ line, cells } = { line: 0, cells: [] }] = found;
        const own = lines[index] ?? 0;
        const last = line + cells.join('').split(/\r\n|\n|\r/).length - 1;
        assert.ok(line <= own && own <= last, `Thing${index}. is on line ${own}, not on ${line}`);
        if (!isWhole) continue;
        assert.equal(line, own);
        // Without a quote in it, nothing tells whether a backslash is doubled.
        const isClear = made.encoding.startsWith('utf') && made.escape === '"';
        if (isClear) assert.equal(cells[1], note);
      }
    }),
    { numRuns: 100 },
  );
});
