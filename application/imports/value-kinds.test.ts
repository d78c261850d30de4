import assert from 'node:assert/strict';
import test from 'node:test';
import { createValueGuesser } from './value-kinds.ts';

/** Some cells, repeated until there are enough for a choice. */
function guess(heading: string, cells: string, order: 'day' | 'month' | null = null) {
  const guesser = createValueGuesser();
  for (const cell of cells.split('|')) guesser.add(cell);
  return guesser.guess(heading, order);
}

/** The kind with its unit, and how many of the cells fit. */
function kindOf(heading: string, cells: string): string | null {
  const found = guess(heading, cells);
  if (found === null) return null;
  const { kind, unit, fits, filled } = found;
  return [kind, unit, fits === filled ? '' : `${fits} of ${filled}`]
    .filter((one) => one !== '')
    .join(' ');
}

test('a column shows the kind of its values', () => {
  const cases = [
    ['Kaufpreis', '120,50 €|99 €|1.299,00 €|-|k.A.', 'money EUR'],
    ['Purchase Cost', '$1,299.00|$12.00|', 'money USD'],
    ['Purchase price', '120.5|99|0', 'money'],
    ['Unit price', '0.0125 €|0.5 €|0.0311 €', 'number EUR'],
    ['Length', '12 mm|14mm|15', 'number mm'],
    ['Weight', '0.5|1.25|3', 'number'],
    ['Bought', '2026-01-05|2026-11-20 10:00:00|', 'date'],
    ['Gekauft', '5.1.2026|20.11.26', 'date'],
    ['Bought', '13/10/2021|01/02/2021', 'date'],
    ['Insured', 'true|false|true', 'yes or no'],
    ['Versichert', 'ja|Nein|', 'yes or no'],
    ['Checked', 'x||x', 'yes or no'],
    ['Website', 'https://a.example/b?c|http://d.example', 'link'],
    ['Manual', 'Saw\nCut only wood|Rope', 'long text'],
    ['Colour', 'red|green', 'text'],
    ['Colour', 'red|green|Red|red|red|green|red|green|green|green', 'choice'],
    ['Order number', '4711|4712|4713', 'text'],
    ['Part', '0815|0816', 'text'],
    ['Year', '2019|2020', 'number'],
    ['Nothing', '-|n/a||?|k. A.', null],
  ] as const;
  for (const [heading, cells, kind] of cases) assert.equal(kindOf(heading, cells), kind, cells);
});

test('nine of ten cells make a kind, and the others are counted', () => {
  const prices = '9,50 €|'.repeat(18);
  assert.equal(kindOf('Preis', `${prices}siehe Rechnung|geschenkt`), 'money EUR 18 of 20');
  assert.equal(kindOf('Preis', `${prices}siehe Rechnung|geschenkt|?!|Ada`), 'choice');
  const days = '2026-01-02|'.repeat(9);
  assert.equal(kindOf('Date', `${days}soon`), 'date 9 of 10');
});

test('the whole column tells the mark before decimals, and which number of a date is the day', () => {
  assert.deepEqual(guess('Price', '1.234|12.5')?.mark, '.');
  assert.deepEqual(guess('Price', '1.234|12')?.mark, null);
  assert.deepEqual(guess('Price', '1,5|12.5')?.mark, null);
  assert.deepEqual(guess('Bought', '01/02/2026|10/13/2026')?.order, 'month');
  // Nothing proves the order: other columns may.
  assert.equal(guess('Bought', '01/02/2026|10/12/2026')?.kind, 'text');
  assert.deepEqual(guess('Bought', '01/02/2026', 'day')?.kind, 'date');
});

test('a choice has the texts of the column once, whatever their capitals', () => {
  const cells = 'New|used|Used|new|New|new|new|used|used|used|broken|broken|broken|broken|Broken';
  assert.deepEqual(guess('Condition', cells)?.choices, ['New', 'used', 'broken']);
});
