import assert from 'node:assert/strict';
import test, { after, beforeEach } from 'node:test';
import fc from 'fast-check';
import {
  dueElement,
  formatAgo,
  formatCount,
  formatDate,
  formatDay,
  formatDayHeading,
  formatNumber,
  formatTime,
  fromDay,
  setRegion,
  toDay,
  toDayNumber,
} from './format.ts';

const BRITISH = { timeZone: 'UTC', locale: 'en-GB' };
beforeEach(() => setRegion(BRITISH));
after(() => setRegion(BRITISH));

const NUMBER = new Intl.NumberFormat('en-GB');
const TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
});

test('a whole number is formatted as in British English', () => {
  assert.equal(formatNumber(1_234_567), '1,234,567');
  for (const edge of [0, 9, 999, 1_000, 99_999, 100_000, 999_999, Number.MAX_SAFE_INTEGER])
    assert.equal(formatNumber(edge), NUMBER.format(edge));
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      assert.equal(formatNumber(value), NUMBER.format(value));
    }),
  );
});

test('a time is formatted as in British English, in UTC', () => {
  assert.equal(formatTime(new Date('2026-09-01T07:05:59.999Z')), '1 Sept 2026, 07:05 UTC');
  const [min, max] = [new Date('1970-01-01T00:00Z'), new Date('9999-12-31T23:59Z')];
  fc.assert(
    fc.property(fc.date({ min, max, noInvalidDate: true }), (time) => {
      assert.equal(formatTime(time), TIME.format(time));
    }),
  );
});

test('a count of one is singular, and every other is plural', () => {
  assert.deepEqual(
    [0, 1, 2, 1_000].map((count) => formatCount(count, 'item', 'items')),
    ['0 items', '1 item', '2 items', '1,000 items'],
  );
});

test('a day of the last week is named by its distance, and an older one by its date', () => {
  const now = new Date('2026-03-02T00:00:01Z');
  const named = {
    '2026-03-02T00:00:00Z': 'Today',
    '2026-03-02T23:00:00Z': 'Today',
    '2026-03-01T23:59:59Z': 'Yesterday',
    '2026-02-28T00:00:00Z': '2 days ago',
    '2026-02-24T12:00:00Z': '6 days ago',
    '2026-02-23T12:00:00Z': '23 Feb',
    '2025-12-31T12:00:00Z': '31 Dec 2025',
  };
  for (const [time, name] of Object.entries(named))
    assert.equal(formatDay(new Date(time), now), name);
});

test('a time on a page that is never cached says how long ago it was', () => {
  const now = new Date('2026-03-02T12:00:00Z');
  const named = {
    '2026-03-02T12:00:01Z': 'just now',
    '2026-03-02T11:59:01Z': 'just now',
    '2026-03-02T11:59:00Z': '1 minute ago',
    '2026-03-02T11:00:01Z': '59 minutes ago',
    '2026-03-02T10:00:00Z': '2 hours ago',
    '2026-03-01T12:00:00Z': '1 day ago',
    '2026-02-23T12:00:01Z': '6 days ago',
    '2026-02-23T12:00:00Z': '23 Feb',
  };
  for (const [time, name] of Object.entries(named))
    assert.equal(formatAgo(new Date(time), now), name);
});

test('times and days are those of the time zone of the team', () => {
  setRegion({ timeZone: 'Europe/Berlin', locale: 'en-GB' });
  const [before, after] = [new Date('2026-11-19T22:59:59Z'), new Date('2026-11-19T23:00:00Z')];
  assert.equal(formatTime(after), '20 Nov 2026, 00:00');
  assert.deepEqual([toDay(before), toDay(after)], ['2026-11-19', '2026-11-20']);
  assert.equal(toDayNumber(after) - toDayNumber(before), 1);
  assert.equal(formatDay(before, after), 'Yesterday');
});

test('a day has 23 or 25 hours when the clocks change', () => {
  setRegion({ timeZone: 'Europe/Berlin', locale: 'en-GB' });
  for (const [day, hours] of [
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-10-26', 24],
  ] as const) {
    const start = fromDay(day);
    const last = new Date(start.getTime() + hours * 3_600_000 - 1);
    assert.deepEqual([toDay(start), toDay(last)], [day, day]);
    assert.equal(formatDay(start, last), 'Today');
    assert.equal(formatDay(last, new Date(last.getTime() + 1)), 'Yesterday');
  }
});

test('a due day is the same everywhere, also where the clocks change at midnight', () => {
  for (const timeZone of ['Pacific/Honolulu', 'Pacific/Kiritimati', 'Asia/Beirut', 'UTC']) {
    setRegion({ timeZone, locale: 'en-GB' });
    for (const day of ['2026-03-29', '2026-12-03']) assert.equal(toDay(fromDay(day)), day);
    const now = fromDay('2026-01-01');
    assert.match(dueElement('2026-03-29', now).markup, /"2026-03-29">29 Mar</, timeZone);
  }
});

test('numbers, days and times are written as in the region', () => {
  const time = new Date('2026-09-16T18:02:00Z');
  const write = (locale: string) => {
    setRegion({ timeZone: 'Europe/Berlin', locale });
    return [formatNumber(1_234_567), formatDate(time, time), formatTime(time)];
  };
  assert.deepEqual(write('en-DE'), ['1.234.567', '16 Sept', '16 Sept 2026, 20:02']);
  assert.deepEqual(write('en-US'), ['1,234,567', 'Sep 16', 'Sep 16, 2026, 8:02 pm']);
  assert.equal(formatDayHeading(time, new Date('2026-09-18')), 'Wednesday, September 16, 2026');
  assert.deepEqual(write('en-IN'), ['12,34,567', '16 Sept', '16 Sept 2026, 8:02 pm']);
});

test('the heading of a day has its weekday, but for today and yesterday', () => {
  const now = new Date('2026-11-18T12:00:00Z');
  const headings = ['2026-11-18', '2026-11-17', '2026-11-16'].map((day) =>
    formatDayHeading(fromDay(day), now),
  );
  assert.deepEqual(headings, ['Today', 'Yesterday', 'Monday 16 November 2026']);
});
