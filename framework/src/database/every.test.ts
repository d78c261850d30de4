import assert from 'node:assert/strict';
import test from 'node:test';
import { type Cron, every } from './every.ts';

const nothing = async () => {};

/** The next times, in UTC, to the minute. */
function list(
  times: string | Cron,
  timeZone: string,
  after: string,
  count: number,
): readonly string[] {
  const { schedule } = every(times as 'hour', nothing, { timeZone });
  const found: string[] = [];
  for (let at = Date.parse(after); found.length < count; ) {
    at = schedule.nextAfter(at);
    found.push(new Date(at).toISOString().replace(':00.000Z', ''));
  }
  return found;
}

test('a phrase is a pattern of cron', () => {
  const patterns = [
    every('15 minutes', nothing),
    every('2 hours', nothing),
    every('day at 03:00', nothing),
    every('monday at 08:05', nothing),
    every('month on the 1st at 06:00', nothing),
    every('month on the last day at 23:59', nothing),
    every({ cron: ' 0  8 * * 1-5 ' }, nothing, { timeZone: 'Europe/Berlin' }),
  ];
  assert.deepEqual(
    patterns.map(({ schedule }) => schedule.times),
    [
      '*/15 * * * * UTC',
      '0 */2 * * * UTC',
      '0 3 * * * UTC',
      '5 8 * * 1 UTC',
      '0 6 1 * * UTC',
      '59 23 L * * UTC',
      '0 8 * * 1-5 Europe/Berlin',
    ],
  );
  assert.deepEqual(list('month on the last day at 06:00', 'UTC', '2027-12-31T06:00Z', 2), [
    '2028-01-31T06:00',
    '2028-02-29T06:00',
  ]);
});

test('a time that clocks skip is the moment at which they skip it', () => {
  // From 02:00 to 03:00 on 29 March.
  for (const cron of ['0 2 * * *', '30 2 * * *', '*/20 2 * * *'])
    assert.deepEqual(list({ cron }, 'Europe/Berlin', '2026-03-28T12:00Z', 1), ['2026-03-29T01:00']);
  assert.deepEqual(list('2 hours', 'Europe/Berlin', '2026-03-28T23:00Z', 3), [
    '2026-03-29T01:00',
    '2026-03-29T02:00',
    '2026-03-29T04:00',
  ]);
  // From 02:00 to 02:30.
  assert.deepEqual(list('day at 02:10', 'Australia/Lord_Howe', '2026-10-03T00:00Z', 2), [
    '2026-10-03T15:30',
    '2026-10-04T15:10',
  ]);
  // All of 30 December 2011.
  assert.deepEqual(list('day at 12:00', 'Pacific/Apia', '2011-12-29T12:00Z', 3), [
    '2011-12-29T22:00',
    '2011-12-30T10:00',
    '2011-12-30T22:00',
  ]);
});

test('a time that clocks show twice comes once', () => {
  // From 03:00 to 02:00 on 25 October.
  assert.deepEqual(list('day at 02:30', 'Europe/Berlin', '2026-10-24T12:00Z', 2), [
    '2026-10-25T00:30',
    '2026-10-26T01:30',
  ]);
  assert.deepEqual(list('day at 02:30', 'Europe/Berlin', '2026-10-25T01:15Z', 1), [
    '2026-10-26T01:30',
  ]);
  assert.deepEqual(list({ cron: '*/30 2 * * *' }, 'Europe/Berlin', '2026-10-24T12:00Z', 3), [
    '2026-10-25T00:00',
    '2026-10-25T00:30',
    '2026-10-26T01:00',
  ]);
  assert.deepEqual(list('2 hours', 'Europe/Berlin', '2026-10-24T22:00Z', 2), [
    '2026-10-25T00:00',
    '2026-10-25T03:00',
  ]);
});

test('what comes every hour does so while clocks change', () => {
  assert.deepEqual(list('hour', 'Europe/Berlin', '2026-03-28T23:30Z', 3), [
    '2026-03-29T00:00',
    '2026-03-29T01:00',
    '2026-03-29T02:00',
  ]);
  assert.deepEqual(list('30 minutes', 'Europe/Berlin', '2026-10-24T23:30Z', 5), [
    '2026-10-25T00:00',
    '2026-10-25T00:30',
    '2026-10-25T01:00',
    '2026-10-25T01:30',
    '2026-10-25T02:00',
  ]);
});

test('times that cannot be meant are errors that say what can', () => {
  const refuse = (times: unknown, expected: RegExp, options?: object) =>
    assert.throws(() => every(times as 'hour', nothing, options), expected);
  const examples = /pass 'minute', 'hour', .* 'day at 03:00', .* \{ cron: '0 8 \* \* 1-5' \}/;
  for (const times of ['day at 3:00', 'day at 24:00', '7 minutes', 'month on the 31st at 06:00', 7])
    refuse(times, examples);
  refuse(undefined, /Cannot run a job every undefined: pass/);
  const cron = (text: string): Cron => ({ cron: text });
  for (const text of ['', '@daily', '0 0 3 * * *', '2026-01-01T00:00:00', '* * * * 9'])
    refuse(cron(text), /pass minute, hour, day of the month, month and day of the week/);
  refuse(cron('0 0 30 2 *'), /Cannot run a job at "0 0 30 2 \*": such a time never comes/);
  refuse('hour', /no time zone|there is none of this name/, { timeZone: 'Mars/Olympus' });
  refuse('hour', /Did you mean catchUp\?/, { catchup: false });
  assert.throws(() => every('hour', 'sweep' as never), /Cannot run text at set times/);
});
