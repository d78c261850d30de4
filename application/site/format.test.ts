import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { formatAgo, formatCount, formatDay, formatNumber, formatTime } from './format.ts';

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
