/**
 * Dates and times as a language writes and reads them, by the data of `Intl`. A date is text such as `2026-11-23`, in
 * the Gregorian calendar, and a time is text such as `14:30`. Neither has a time zone.
 *
 * A date is read in the order of the language, or in that of ISO 8601. A year has four digits, so that a text has one
 * reading.
 */
import { cacheFormats, createDigitReader, unifySpaces } from './formats.ts';

/** In German: `23.11.2026`, `23. November 2026` and `Montag, 23. November 2026`. */
export type DateStyle = 'numeric' | 'long' | 'full';

export interface DateFormats {
  /** `long` by default. Throws a `TypeError` for a date that does not exist. */
  readonly formatDate: (date: string, style?: DateStyle) => string;
  /** In German, `23.11.2026` becomes `2026-11-23`. Null for what is no date. */
  readonly parseDate: (typed: string) => string | null;
  /** In English, `14:30` becomes `2:30 PM`. Throws a `TypeError` for a time that does not exist. */
  readonly formatTime: (time: string) => string;
  /** In English, `2:30 pm` becomes `14:30`. Null for what is no time. */
  readonly parseTime: (typed: string) => string | null;
}

const STYLES: Readonly<Record<DateStyle, Intl.DateTimeFormatOptions>> = {
  numeric: { year: 'numeric', month: '2-digit', day: '2-digit' },
  long: { dateStyle: 'long' },
  full: { dateStyle: 'full' },
};

export function createDateFormats(code: string): DateFormats {
  const formatOf = cacheFormats(
    (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(code, { ...options, calendar: 'gregory', timeZone: 'UTC' }),
  );
  let readers: Readers | null = null;
  const read = (kind: keyof Readers, typed: string) => {
    readers ??= createReaders(code, formatOf('numeric', STYLES.numeric));
    return typed.length > MAX_LENGTH ? null : readers[kind](typed);
  };
  return {
    formatDate(date, style = 'long') {
      if (!isDate(date)) throw cannotFormat(date, 'a date', '2026-11-23');
      return formatOf(style, STYLES[style]).format(Date.parse(date));
    },
    parseDate: (typed) => read('date', typed),
    formatTime(time) {
      if (!isTime(time)) throw cannotFormat(time, 'a time', '14:30');
      return formatOf('time', { timeStyle: 'short' }).format(Date.parse(`1970-01-01T${time}Z`));
    },
    parseTime: (typed) => read('time', typed),
  };
}

/** Characters. A longer text is no date and no time. */
const MAX_LENGTH = 100;

interface Readers {
  readonly date: (typed: string) => string | null;
  readonly time: (typed: string) => string | null;
}

function createReaders(code: string, numeric: Intl.DateTimeFormat): Readers {
  const toAscii = createDigitReader(code);
  const unify = (typed: string) => toAscii(unifySpaces(typed)).trim().toLowerCase();
  const parts = numeric.formatToParts(0);
  const order = parts.map(({ type }) => type).filter((type) => type !== 'literal');
  const [yearAt, monthAt, dayAt] = (['year', 'month', 'day'] as const).map((type) =>
    order.indexOf(type),
  ) as [number, number, number];
  // Some languages write a word after the year.
  const words = parts.flatMap(({ type, value }) =>
    type === 'literal' ? (value.match(/\p{L}+/gu) ?? []) : [],
  );
  const periods = periodsOf(code).map((name) => toLetters(unify(name)));
  return {
    date(typed) {
      const text = words.reduce((left, word) => left.replace(unify(word), ' '), unify(typed));
      const numbers = /^(\d+)[ ./-]+(\d+)[ ./-]+(\d+)[ .]*$/.exec(text)?.slice(1) ?? [];
      const at = (index: number) => numbers[index]?.padStart(2, '0');
      const date =
        numbers[0]?.length === 4
          ? `${numbers[0]}-${at(1)}-${at(2)}`
          : `${numbers[yearAt]}-${at(monthAt)}-${at(dayAt)}`;
      return isDate(date) ? date : null;
    },
    time(typed) {
      const text = unify(typed);
      if (isTime(text)) return text;
      const [, before = '', hour = '', minute, after = ''] =
        /^(\D*)(\d{1,2})(?: ?[:.h] ?(\d{2}))?(\D*)$/.exec(text) ?? [];
      const period = toLetters(before + after);
      if (period === '') return toTime(hour, minute ?? '');
      if (!/^(?:0?[1-9]|1[0-2])$/.test(hour)) return null;
      const inMorning = Number(hour) % 12;
      const hours = [inMorning, inMorning + 12].find(
        (one) => period === periods[one] || period === (one < 12 ? 'am' : 'pm'),
      );
      return hours === undefined ? null : toTime(String(hours), minute ?? '00');
    },
  };
}

/** The words beside each hour of a day, such as AM and PM. Some languages have more than two. */
function periodsOf(code: string): readonly string[] {
  const format = new Intl.DateTimeFormat(code, {
    timeStyle: 'short',
    hour12: true,
    timeZone: 'UTC',
  });
  return Array.from({ length: 24 }, (_, hour) => {
    const parts = format.formatToParts(hour * 3_600_000);
    return parts.find(({ type }) => type === 'dayPeriod')?.value ?? '';
  });
}

function toLetters(text: string): string {
  return text.replaceAll(/\P{L}/gu, '');
}

function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // The parser of JavaScript takes the 30th of February for the 2nd of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function toTime(hour: string, minute: string): string | null {
  const time = `${hour.padStart(2, '0')}:${minute}`;
  return isTime(time) ? time : null;
}

function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(text);
}

function cannotFormat(text: string, what: string, example: string): TypeError {
  return new TypeError(
    `Cannot format ${JSON.stringify(text)} as ${what}: pass ${what} that exists, such as ${example}.`,
  );
}
