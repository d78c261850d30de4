import assert from 'node:assert/strict';
import test from 'node:test';
import { readAmount } from './read-amount.ts';

const read = (text: string, mark: '.' | ',' | null = null) => {
  const found = readAmount(text, mark);
  return found === null ? null : [found.decimal, found.currency ?? found.unit].join(' ').trim();
};

test('amounts are read with their currency, whatever marks a country writes', () => {
  const cases = [
    ['120,50 €', '120.5 EUR'],
    ['€ 120.50', '120.5 EUR'],
    ['$1,299.00', '1299 USD'],
    ['CA$1,299.00', '1299 CAD'],
    ['CHF\u00a01,299.50', '1299.5 CHF'],
    ['1.299,00 EUR', '1299 EUR'],
    ['EUR 1 299,95', '1299.95 EUR'],
    ["CHF 1'200.-", '1200 CHF'],
    ['1.200,-- €', '1200 EUR'],
    ['£0.99', '0.99 GBP'],
    ['1299', '1299'],
    ['1,299', '1299'],
    ['.5', '0.5'],
    ['-3,20', '-3.2'],
    ['−3', '-3'],
    ['0.00', '0'],
    ['１２．５', '12.5'],
    ['1 000 000', '1000000'],
    ['129.500', '129500'],
  ] as const;
  for (const [text, amount] of cases) assert.equal(read(text), amount, text);
  assert.equal(read('129.500', '.'), '129.5');
  assert.equal(read('1,234', ','), '1.234');
  assert.equal(read('1.234,5', ','), '1234.5');
});

test('a unit stands behind its number, and a text with other words is no number', () => {
  const cases = [
    ['12 mm', '12 mm'],
    ['12mm', '12 mm'],
    ['3,5 kg', '3.5 kg'],
    ['40 m²', '40 m²'],
    ['18V', '18 V'],
    ['50 %', '50 %'],
    ['24"', '24 "'],
    ['100 km/h', '100 km/h'],
  ] as const;
  for (const [text, amount] of cases) assert.equal(read(text), amount, text);
  for (const text of [
    ...[
      '',
      'M8',
      'M8x30',
      '000-001',
      '0815',
      '2 x 4',
      '12 - 14',
      '3 Stück rot',
      '1.2.3',
      '10/20',
      '2026-11-29',
      // Longer than a unit, and a name that every object has.
      '12 constructor',
    ],
    ...['+49 30 123456 78', '12345678901234567', '1,2,3', '$ 5 EUR', 'IP44', '192.168.1.1', 'a12'],
  ])
    assert.equal(read(text), null, text);
});
