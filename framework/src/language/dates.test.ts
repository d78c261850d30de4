import assert from 'node:assert/strict';
import test from 'node:test';
import { english } from './english.ts';
import { german } from './german.ts';
import { createLanguage, type Language } from './language.ts';

const at = (code: string): Language => createLanguage({ ...english, code });

/** Languages that differ in the order, the separators, the digits, the words or the hours. */
const CODES = [
  ...[
    'ar-EG',
    'bg',
    'de',
    'en',
    'en-CA',
    'en-GB',
    'es',
    'fa',
    'fr',
    'fr-CA',
    'he',
    'hi',
    'hu',
    'ja',
  ],
  ...['ko', 'lt', 'lv', 'mk', 'nl', 'sv', 'th', 'ur', 'zh-Hant'],
];

test('a date or time that a language shows is the one that it reads', () => {
  for (const language of CODES.map(at)) {
    for (const date of ['2026-11-23', '2024-02-29', '1999-01-02']) {
      const shown = language.formatDate(date, 'numeric');
      assert.equal(language.parseDate(shown), date, `${language.code}: ${shown}`);
    }
    for (const time of ['00:05', '09:30', '12:00', '14:30', '23:59']) {
      const shown = language.formatTime(time);
      assert.equal(language.parseTime(shown), time, `${language.code}: ${shown}`);
    }
  }
});

const DATES: readonly (readonly [code: string, typed: string, date: string | null])[] = [
  ['de', '23.11.2026', '2026-11-23'],
  ['de', '1.2.2026', '2026-02-01'],
  ['de', '23/11/2026', '2026-11-23'],
  ['de', '23-11-2026', '2026-11-23'],
  ['de', ' 23. 11. 2026 ', '2026-11-23'],
  ['en', '11/23/2026', '2026-11-23'],
  ['en-GB', '23/11/2026', '2026-11-23'],
  ['ja', '2026/11/23', '2026-11-23'],
  ['en', '2026-11-23', '2026-11-23'],
  ['de', '2026-11-23', '2026-11-23'],
  ['de', '2024-02-29', '2024-02-29'],
  // The order of another language, and years that could be days.
  ['en', '23/11/2026', null],
  ['ja', '23/11/2026', null],
  ['de', '23.11.26', null],
  ['en', '11/23', null],
  // What does not exist.
  ['de', '30.02.2026', null],
  ['de', '29.02.2026', null],
  ['de', '0.1.2026', null],
  ['de', '1.13.2026', null],
  ['de', '23.11.20260', null],
  ['de', 'morgen', null],
  ['de', '', null],
  ['de', '-23.11.2026', null],
  ['de', `23.${'.'.repeat(100)}11.2026`, null],
];

for (const [code, typed, date] of DATES) {
  test(`in ${code}, "${typed.slice(0, 20)}" is ${date ?? 'no date'}`, () => {
    assert.equal(at(code).parseDate(typed), date);
  });
}

const TIMES: readonly (readonly [code: string, typed: string, time: string | null])[] = [
  ['de', '14:30', '14:30'],
  ['de', '9:05', '09:05'],
  ['de', '14.30', '14:30'],
  ['fr', '14h30', '14:30'],
  ['fr', '14 h 30', '14:30'],
  ['de', '14:30:15', '14:30:15'],
  ['en', '2:30 PM', '14:30'],
  ['en', '2:30pm', '14:30'],
  ['en', '2 p.m.', '14:00'],
  ['en', '12 am', '00:00'],
  ['en', '12:15 pm', '12:15'],
  ['ko', '오후 2:30', '14:30'],
  ['en', '14', null],
  ['en', '13:00 pm', null],
  ['en', '0:30 am', null],
  ['de', '24:00', null],
  ['de', '12:60', null],
  ['de', '14:30 Uhr', null],
  ['de', '', null],
];

for (const [code, typed, time] of TIMES) {
  test(`in ${code}, "${typed}" is ${time ?? 'no time'}`, () => {
    assert.equal(at(code).parseTime(typed), time);
  });
}

test('a month that a language shows is the one that it reads, also by its name', () => {
  for (const language of CODES.map(at)) {
    for (const month of Array.from({ length: 12 }, (_, index) => index + 1)) {
      const text = `2026-${String(month).padStart(2, '0')}`;
      assert.equal(language.parseMonth(`${month}/2026`), text, language.code);
    }
  }
  for (const [language, march] of [
    [english, 'March 2026'],
    [german, 'März 2026'],
    [at('es'), 'marzo de 2026'],
  ] as const)
    assert.equal(language.formatMonth('2026-03'), march);
  assert.equal(german.parseMonth('März 2026'), '2026-03');
  assert.equal(german.parseMonthName('mär.'), 3);
  for (const name of ['', 'M', 'Ma', 'Foo', 'March'.repeat(7)])
    assert.equal(english.parseMonthName(name), null, name);
  for (const typed of ['2026', '13/2026', '0/2026', 'Foo 2026', '11/26', '3/0000'])
    assert.equal(english.parseMonth(typed), null, typed);
  assert.throws(
    () => german.formatMonth('2026-13'),
    /^TypeError: Cannot format "2026-13" as a mon/,
  );
});

test('the parts of a date have an order in each language', () => {
  const orders = (['de', 'en', 'en-GB', 'hu', 'ja'] as const).map((code) =>
    at(code).dateOrder().join(),
  );
  assert.deepEqual(orders, [
    'day,month,year',
    'month,day,year',
    'day,month,year',
    'year,month,day',
    'year,month,day',
  ]);
});

test('a date is shown in the style of the page', () => {
  assert.equal(german.formatDate('2026-11-23'), '23. November 2026');
  assert.equal(german.formatDate('2026-11-23', 'full'), 'Montag, 23. November 2026');
  assert.equal(german.formatDate('2026-11-23', 'numeric'), '23.11.2026');
  assert.equal(
    at('th').formatDate('2026-11-23', 'numeric'),
    '23/11/2026',
    'the Gregorian calendar',
  );
});

test('a date or time that does not exist cannot be shown', () => {
  assert.throws(() => german.formatDate('2026-02-30'), {
    name: 'TypeError',
    message: 'Cannot format "2026-02-30" as a date: pass a date that exists, such as 2026-11-23.',
  });
  assert.throws(() => german.formatTime('25:00'), /^TypeError: Cannot format "25:00" as a time/);
});
