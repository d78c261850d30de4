import assert from 'node:assert/strict';
import test from 'node:test';
import { parseHttpDate } from './http-date.ts';

const NOW = Date.UTC(2026, 10, 20);

function read(text: string): string | null {
  const time = parseHttpDate(text, NOW);
  return time === null ? null : new Date(time).toISOString();
}

test('a date has one of three forms', () => {
  const forms = [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ];
  for (const text of forms) assert.equal(read(text), '1994-11-06T08:49:37.000Z', text);
  assert.equal(read('Wed Nov 16 08:49:37 1994'), '1994-11-16T08:49:37.000Z');
  const now = Math.floor(Date.now() / 1000) * 1000;
  assert.equal(parseHttpDate(new Date(now).toUTCString()), now);
});

test('a year of two digits is at most 50 years ahead', () => {
  assert.equal(read('Sunday, 06-Nov-76 08:49:37 GMT'), '2076-11-06T08:49:37.000Z');
  assert.equal(read('Sunday, 06-Nov-77 08:49:37 GMT'), '1977-11-06T08:49:37.000Z');
  assert.equal(read('Sunday, 06-Nov-26 08:49:37 GMT'), '2026-11-06T08:49:37.000Z');
  assert.equal(read('Sunday, 06-Nov-00 08:49:37 GMT'), '2000-11-06T08:49:37.000Z');
});

test('a leap second is read as the next second', () => {
  assert.equal(read('Sat, 31 Dec 2016 23:59:60 GMT'), '2017-01-01T00:00:00.000Z');
});

test('any other text is not a date', () => {
  const texts = [
    ...['', 'yesterday', '1605895331', '2020-11-21', '2021', 'Sun, 06 Nov 1994'],
    ...['Sun, 6 Nov 1994 08:49:37 GMT', 'Sun, 06 Nov 94 08:49:37 GMT', 'Sun 06 Nov 1994 08:49:37'],
    ...[
      'Sun, 06 Nov 1994 08:49:37 +0000',
      'Sun, 06 Nov 1994 08:49:37',
      'Sun, 06 Nov 1994 08:49 GMT',
    ],
    ...[
      'sun, 06 nov 1994 08:49:37 gmt',
      'Son, 06 Nov 1994 08:49:37 GMT',
      'Sun Nov 6 08:49:37 1994',
    ],
    ...['Sun, 31 Feb 1994 08:49:37 GMT', 'Sun, 00 Nov 1994 08:49:37 GMT'],
    ...['Sun, 06 Nov 1994 24:49:37 GMT', 'Sun, 06 Nov 1994 08:60:37 GMT'],
    ...['Sun, 06 Nov 1994 08:49:61 GMT', ' Sun, 06 Nov 1994 08:49:37 GMT'],
  ];
  for (const text of texts) assert.equal(read(text), null, text);
});
