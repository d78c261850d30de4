import assert from 'node:assert/strict';
import test from 'node:test';
import { findDayOrder, readDay, readMoment } from './read-date.ts';

test('a day is read as tables write it, unless it may be two', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['2026-11-05', '2026-11-05'],
    ['2026-11-05 09:30:00', '2026-11-05'],
    ['2026/11/5', '2026-11-05'],
    ['5.11.2026', '2026-11-05'],
    ['05. 11. 2026', '2026-11-05'],
    ['25/11/2026', '2026-11-25'],
    ['11/25/2026', '2026-11-25'],
    ['5/5/2026', '2026-05-05'],
    ['２０２６／１１／５', '2026-11-05'],
    ['२५/११/२०२६', '2026-11-25'],
    ['\u200e2026-11-05\u200f', '2026-11-05'],
    ['5.11.26', '2026-11-05'],
    ['Thu Nov 5, 2026', '2026-11-05'],
    ['5. März 2026', '2026-03-05'],
    ['5 déc. 2026', '2026-12-05'],
    ['5/11/2026', null],
    ['Shelf 5, 2026', null],
    ['30.2.2026', null],
    ['2026-13-01', null],
    ['soon', null],
    ['', null],
  ];
  for (const [text, day] of cases) assert.equal(readDay(text), day, text);
  assert.equal(readMoment('2026-11-05T08:30:00.000Z'), '2026-11-05T08:30:00.000Z');
  assert.equal(readMoment('5.11.2026'), '2026-11-05T12:00:00.000Z');
});

test('the other days of a column tell which number is the day', () => {
  assert.deepEqual(['25/11/2026', '11/25/2026', '5/11/2026', 'x'].map(findDayOrder), [
    'day',
    'month',
    null,
    null,
  ]);
  assert.equal(readDay('5/11/2026', 'day'), '2026-11-05');
  assert.equal(readDay('5/11/26', 'month'), '2026-05-11');
  // One that can be only the other is that.
  assert.equal(readDay('11/25/2026', 'day'), '2026-11-25');
});
