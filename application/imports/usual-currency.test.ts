import assert from 'node:assert/strict';
import test from 'node:test';
import { NO_DEFINITIONS } from '../own-fields/definitions.ts';
import { usualCurrency } from './usual-currency.ts';

test('amounts without a currency have that of the country of the browser', () => {
  const cases = [
    ['en-US,en;q=0.9', 'USD'],
    ['de-CH', 'CHF'],
    ['de-DE,de', 'EUR'],
    ['en', 'EUR'],
    ['', 'EUR'],
  ] as const;
  for (const [languages, currency] of cases)
    assert.equal(usualCurrency(NO_DEFINITIONS, languages), currency, languages);
});
