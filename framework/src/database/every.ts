/**
 * A job of an outbox that runs at set times. Times are those of the clocks in a time zone, which `croner` finds as if
 * there were no daylight-saving time; what they mean while clocks change is decided here. A time that clocks skip is
 * the moment at which they skip it, and of one that they show twice, the first is meant. Only a pattern for every hour
 * ignores the clocks: it must neither pause nor run twice.
 */
import { Cron as Pattern } from 'croner';
import { findZone, toInstant, type Zone } from '../field/time-zone.ts';
import {
  checkOptions,
  describeValue,
  FLAG,
  type OptionKinds,
  TEXT,
} from '../http/check-options.ts';
import type { Attempt, ScheduledJob } from './job.ts';

/** Options of `every`. */
export interface ScheduleOptions {
  /** Such as `Europe/Berlin`. UTC by default, which is the same on each machine. */
  readonly timeZone?: string;
  /**
   * Whether runs that were missed, because no process ran, are made up for by one run: true by default. With false, a
   * run that would begin more than five minutes late is left out, also if it has failed before.
   */
  readonly catchUp?: boolean;
}

/** Times in the five fields of cron: minute, hour, day of the month, month, day of the week. */
export interface Cron {
  /** Such as `0 8 * * 1-5`. */
  readonly cron: string;
}

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
type Hour = `${'0' | '1'}${Digit}` | '20' | '21' | '22' | '23';
type Minute = `${'0' | '1' | '2' | '3' | '4' | '5'}${Digit}`;
type Interval = keyof typeof INTERVALS;
type Weekday = (typeof WEEKDAYS)[number];
type Day = 'day' | Weekday | `month on the ${(typeof DATES)[number] | 'last day'}`;

/** The text itself, or what to write instead. */
export type CheckedTimes<Text> = Text extends Cron | Interval
  ? Text
  : Text extends `${infer Name} at ${infer H}:${infer M}`
    ? [Name, H, M] extends [Day, Hour, Minute]
      ? Text
      : DayAtTime
    : Interval | DayAtTime | Cron;
type DayAtTime = `${Day} at 03:00`;

const INTERVALS = {
  minute: '* * * * *',
  '2 minutes': '*/2 * * * *',
  '5 minutes': '*/5 * * * *',
  '10 minutes': '*/10 * * * *',
  '15 minutes': '*/15 * * * *',
  '20 minutes': '*/20 * * * *',
  '30 minutes': '*/30 * * * *',
  hour: '0 * * * *',
  '2 hours': '0 */2 * * *',
  '3 hours': '0 */3 * * *',
  '4 hours': '0 */4 * * *',
  '6 hours': '0 */6 * * *',
  '12 hours': '0 */12 * * *',
} as const;

/** In cron, 0 is Sunday. */
const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

/** Each month has them. */
// biome-ignore format: one line of ten reads better than ten lines
const DATES = [
  '1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th', '9th', '10th',
  '11th', '12th', '13th', '14th', '15th', '16th', '17th', '18th', '19th', '20th',
  '21st', '22nd', '23rd', '24th', '25th', '26th', '27th', '28th',
] as const;

const KINDS: OptionKinds<ScheduleOptions> = { timeZone: TEXT, catchUp: FLAG };

/**
 * A job for `createOutbox` that runs by itself: `'15 minutes'`, `'hour'`, `'day at 03:00'`, `'monday at 08:00'`,
 * `'month on the 1st at 06:00'` or `{ cron: '0 8 * * 1-5' }`. Throws a TypeError for times that it cannot read or that
 * never come.
 */
export function every<const Times extends string | Cron>(
  times: CheckedTimes<Times>,
  run: (at: Date, attempt: Attempt) => Promise<unknown>,
  options: ScheduleOptions = {},
): ScheduledJob {
  checkOptions('every', options, KINDS);
  const { timeZone = 'UTC', catchUp = true } = options;
  if (typeof run !== 'function') {
    throw new TypeError(
      `Cannot run ${describeValue(run)} at set times: pass a function, every('day at 03:00', async (at) => …).`,
    );
  }
  const zone = timeZone === 'UTC' ? UTC : findZone(timeZone);
  if (zone === null) {
    throw new TypeError(
      `Cannot run a job in the time zone ${JSON.stringify(timeZone)}: there is none of this name. Pass one such as 'Europe/Berlin'.`,
    );
  }
  const cron = toCron(times);
  const nextLocal = readPattern(cron, null);
  if (nextLocal(Date.now()) === NEVER) {
    throw new TypeError(`Cannot run a job at ${JSON.stringify(cron)}: such a time never comes.`);
  }
  const isHourly = cron.split(' ')[1] === '*';
  const inClocks = isHourly ? readPattern(cron, timeZone) : inZone(nextLocal, zone);
  const nextAfter = zone === UTC ? nextLocal : inClocks;
  const schedule = { times: `${cron} ${timeZone}`, catchUp, nextAfter };
  return Object.assign((at: Date, attempt: Attempt) => run(at, attempt), { schedule });
}

function toCron(times: string | Cron): string {
  const cron: unknown = typeof times === 'object' ? times?.cron : null;
  if (typeof cron === 'string') return cron.trim().replaceAll(/\s+/g, ' ');
  const text = typeof times === 'string' ? times : '';
  if (Object.hasOwn(INTERVALS, text)) return INTERVALS[text as Interval];
  const [, name = '', hour, minute] = /^(.+) at ([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  const day = toDayFields(name);
  if (day !== null) return `${Number(minute)} ${Number(hour)} ${day}`;
  throw new TypeError(
    `Cannot run a job every ${JSON.stringify(times)}: pass 'minute', 'hour', '2', '5', '10', '15', '20' or '30 minutes', '2', '3', '4', '6' or '12 hours', or a time with four digits, such as 'day at 03:00', 'monday at 08:00', 'month on the 1st at 06:00' (up to the 28th) or 'month on the last day at 06:00'. All other times are cron, such as { cron: '0 8 * * 1-5' }.`,
  );
}

/** The last three fields of cron: day of the month, month, day of the week. */
function toDayFields(name: string): string | null {
  if (name === 'day') return '* * *';
  if (name === 'month on the last day') return 'L * *';
  const weekday = WEEKDAYS.indexOf(name as Weekday);
  if (weekday >= 0) return `* * ${weekday}`;
  const date = DATES.findIndex((one) => `month on the ${one}` === name);
  return date >= 0 ? `${date + 1} * *` : null;
}

/** Without the data of `Intl`, which takes 30 ms to load. */
const UTC: Zone = { offsetAt: () => 0 };
const NEVER = Number.POSITIVE_INFINITY;

/** The next time after an instant, both in milliseconds. */
type Next = (instant: number) => number;

/** Null for UTC. */
function readPattern(cron: string, timeZone: string | null): Next {
  // It would read a date and names such as `@daily` too.
  const isPattern = /^\S+(?: \S+){4}$/.test(cron);
  try {
    if (!isPattern) throw new Error('It has not five fields.');
    const zone = timeZone === null ? { utcOffset: 0 } : { timezone: timeZone };
    const pattern = new Pattern(cron, { mode: '5-part', ...zone });
    return (instant) => pattern.nextRun(new Date(instant))?.getTime() ?? NEVER;
  } catch (error) {
    throw new TypeError(
      `Cannot run a job at ${JSON.stringify(cron)}: pass minute, hour, day of the month, month and day of the week, such as { cron: '0 8 * * 1-5' }. ${(error as Error).message}`,
      { cause: error },
    );
  }
}

/** `nextLocal` finds what clocks show, as if that were UTC. */
function inZone(nextLocal: Next, zone: Zone): Next {
  return (instant) => {
    let local = instant + zone.offsetAt(instant);
    let found = Number.NEGATIVE_INFINITY;
    // Clocks that were set back show some times again, which have been.
    while (found <= instant) {
      local = nextLocal(local);
      if (local === NEVER) return NEVER;
      found = toFirstInstant(local, zone);
    }
    return found;
  };
}

/** The first moment at which clocks show the local time, or a later one because they skip it. */
function toFirstInstant(local: number, zone: Zone): number {
  // Of a time that is skipped, this is what it would have been without the change.
  let after = toInstant(local, zone) ?? local;
  const change = zone.offsetAt(after) - (local - after);
  if (change === 0) return after;
  let before = after - change;
  // The change is after `before`, and not after `after`.
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zone.offsetAt(middle) === zone.offsetAt(after)) after = middle;
    else before = middle;
  }
  return after;
}
