import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { createLanguage, type Language } from './language.ts';

const at = (code: string): Language => createLanguage({ ...english, code });

/** Languages that differ in digits, separators, groups, signs or the place of the currency. */
const CODES = [
  ...[
    'ar',
    'ar-EG',
    'bg',
    'bn',
    'de',
    'de-AT',
    'de-CH',
    'en',
    'en-IN',
    'en-DE',
    'en-CZ',
    'en-FR',
    'en-ZA',
    'es',
    'et',
    'fa',
    'fr',
  ],
  ...[
    'fr-CH',
    'he',
    'hi',
    'hu',
    'it-CH',
    'ja',
    'ko',
    'lt',
    'mr',
    'my',
    'ne',
    'pl',
    'ps',
    'pt-PT',
    'sl',
  ],
  ...['sv', 'sw', 'ta', 'th', 'tr', 'uk', 'ur', 'zh'],
];

/** What is typed, and what it means. */
const READ: readonly (readonly [code: string, typed: string, number: string | null])[] = [
  ['de', '1.234,50', '1234.50'],
  ['de', '1234,50', '1234.50'],
  ['de', '1.234', '1234'],
  ['de', '1.234.567', '1234567'],
  ['de', ' -1,5 ', '-1.5'],
  ['de', '−1,5', '-1.5'],
  ['de', '+1', '1'],
  ['de', ',5', '0.5'],
  ['de', '007', '7'],
  ['de', '-0,00', '0.00'],
  ['fr', '1\u202f234,50', '1234.50'],
  ['fr', '1 234,50', '1234.50'],
  ['de-CH', "1'234.50", '1234.50'],
  ['de-CH', '1’234.50', '1234.50'],
  ['de-AT', '1.234,50', '1234.50'],
  ['de-AT', '1 234,50', '1234.50'],
  ['en-IN', '12,34,567.5', '1234567.5'],
  ['ar-EG', '١٬٢٣٤٫٥٠', '1234.50'],
  ['ar-EG', '1234.50', '1234.50'],
  ['en', '1,234.50', '1234.50'],
  // As programs write it, where the language has no other meaning for it.
  ['de', '1234.50', '1234.50'],
  ['de', '1.5', '1.5'],
  ['de', '0.123', '0.123'],
  // What has two meanings, or none.
  ['en', '1,5', null],
  ['en', '1,50', null],
  ['en', '1.234,50', null],
  ['en', '0,123', null],
  ['en', '12,34,567', null],
  ['de', '1.23.4', null],
  ['de', '1.234.56', null],
  ['fr', '1 23', null],
  ['de', '1 234', null],
  ['en', '5.', null],
  ['en', '.', null],
  ['en', '-', null],
  ['en', '', null],
  ['en', '1e3', null],
  ['en', '0x10', null],
  ['en', 'NaN', null],
  ['en', '--1', null],
  ['en', '1²', null],
  // Digits of all scripts, dashes, and the wide characters of East Asia.
  ['en', '١', '1'],
  ['ar', '٣', '3'],
  ['ar', '١٬٢٣٤٫٥', '1234.5'],
  ['hi', '१२', '12'],
  ['ja', '－１，２３４．５', '-1234.5'],
  ['en', '–5', '-5'],
  ['fy', '12,50-', '-12.50'],
  // Numbers as in German, and money as in English.
  ['en-DE', '1.234', '1234'],
  ['en-DE', '1.234,5', '1234.5'],
  ['en', '9'.repeat(101), null],
];

for (const [code, typed, number] of READ) {
  test(`in ${code}, "${typed.slice(0, 20)}" is ${number ?? 'no number'}`, () => {
    assert.equal(at(code).parseDecimal(typed), number);
  });
}

test('a number that a language shows is the number that it reads, with all digits', () => {
  const decimal = fc
    .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.stringMatching(/^\d{0,12}$/))
    .map(([whole, decimals]) => (decimals === '' ? `${whole}` : `${whole}.${decimals}`));
  for (const language of CODES.map(at)) {
    fc.assert(
      fc.property(decimal, (number) => {
        assert.equal(language.parseDecimal(language.formatNumber(number)), number, language.code);
      }),
      { numRuns: 50 },
    );
  }
});

test('an amount that a language shows is the amount that it reads, with and without the currency', () => {
  for (const language of CODES.map(at)) {
    for (const currency of ['EUR', 'JPY', 'KWD', 'USD', 'CHF', 'XXX']) {
      for (const units of [0, 1, -1, 199_900, -123_456_789, Number.MAX_SAFE_INTEGER]) {
        const shown = language.formatMoney(units, currency);
        assert.equal(language.parseMoney(shown, currency), units, `${language.code}: ${shown}`);
      }
    }
    assert.equal(language.parseMoney(language.formatNumber('1234.50'), 'EUR'), 123_450);
    assert.equal(language.parseMoney('EUR 1234.5', 'EUR'), 123_450);
  }
});

test('money is shown as the language writes it', () => {
  assert.equal(english.formatMoney(123_450, 'EUR'), '€1,234.50');
  assert.equal(german.formatMoney(123_450, 'EUR'), '1.234,50\u00a0€');
  assert.equal(french.formatMoney(-123_450, 'EUR'), '-1\u202f234,50\u00a0€');
  assert.equal(german.formatMoney(10n ** 20n, 'EUR'), '1.000.000.000.000.000.000,00\u00a0€');
});

test('small numbers are what Intl writes, in every country of a language', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const countries = letters.flatMap((one) => letters.map((other) => `-${one}${other}`));
  for (const code of ['de', 'en', 'fr'].flatMap((one) => countries.map((other) => one + other))) {
    assert.equal(at(code).formatNumber(907), new Intl.NumberFormat(code).format(907), code);
  }
});

test('a currency has the decimals of ISO 4217, which Intl has for some only', () => {
  assert.equal(english.formatMoney(1_234, 'JPY'), '¥1,234');
  assert.equal(english.formatMoney(1_234, 'KWD'), 'KWD\u00a01.234');
  assert.equal(english.formatMoney(1_234, 'HUF'), 'HUF\u00a012.34');
  assert.equal(english.parseMoney('12.34', 'HUF'), 1_234);
  assert.equal(english.parseMoney('1.234', 'KWD'), 1_234);
});

test('an amount with more decimals than its currency has, with another currency or beyond 2^53 is refused', () => {
  assert.equal(english.parseMoney('1.234', 'EUR'), null);
  assert.equal(english.parseMoney('1.50', 'JPY'), null);
  assert.equal(english.parseMoney('$1.50', 'EUR'), null);
  assert.equal(english.parseMoney('€€1', 'EUR'), null);
  assert.equal(english.parseMoney('€', 'EUR'), null);
  assert.equal(english.parseMoney('90071992547409.92', 'EUR'), null);
});

test('sizes are in decimal units', () => {
  const shown = [1, 500, 2_500, 2_560_000].map((size) => german.formatSize(size));
  assert.deepEqual(
    shown.map((text) => text.replace('\u00a0', ' ')),
    ['1 Byte', '500 Byte', '2,5 kB', '2,6 MB'],
  );
});

test('what cannot be shown is an error that says what to pass', () => {
  const exact = {
    name: 'TypeError',
    message: /^Cannot format "1,5" as a number: pass a number, or/,
  };
  assert.throws(() => german.formatNumber('1,5'), exact);
  assert.throws(
    () => german.formatMoney(19.99, 'EUR'),
    /^TypeError: Cannot format 19\.99 as money/,
  );
  assert.throws(() => german.formatMoney(1, 'eur'), /^TypeError: Cannot use "eur" as a currency/);
});
