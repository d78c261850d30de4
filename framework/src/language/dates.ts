/**
 * Dates and times as a language writes and reads them, by the data of `Intl`. A date is text such as `2026-11-23`, in
 * the Gregorian calendar, and a time is text such as `14:30`. Neither has a time zone.
 *
 * A date is read in the order of the language, or in that of ISO 8601. A year has four digits, so that a text has one
 * reading.
 */
import { cacheFormats } from './formats.ts';
import {
  isDate,
  isMonth,
  isTime,
  type PlainDate,
  type PlainMonth,
  type PlainTime,
} from './plain-date.ts';
import { createDateReader, NUMERIC, once, orderOf } from './read-dates.ts';
import type { DatePart } from './words.ts';

/** In German: `23.11.2026`, `23. November 2026` and `Montag, 23. November 2026`. */
export type DateStyle = 'numeric' | 'long' | 'full';

export interface DateFormats {
  /** `long` by default. Throws a `TypeError` for a date that does not exist. */
  readonly formatDate: (date: string, style?: DateStyle) => string;
  /** In German, `23.11.2026` becomes `2026-11-23`. Null for what is no date. */
  readonly parseDate: (typed: string) => PlainDate | null;
  /** The order in which the language writes a date in numbers. */
  readonly dateOrder: () => readonly DatePart[];
  /** In German, `2026-11` becomes `November 2026`. Throws a `TypeError` for a month that does not exist. */
  readonly formatMonth: (month: string) => string;
  /** In German, `November 2026`, `nov. 2026` and `11/2026` become `2026-11`. Null for what is no month. */
  readonly parseMonth: (typed: string) => PlainMonth | null;
  /** The number of a month by its name or a beginning of it that no other month has: in English, `jan` becomes 1. */
  readonly parseMonthName: (typed: string) => number | null;
  /** In English, `14:30` becomes `2:30 PM`. Throws a `TypeError` for a time that does not exist. */
  readonly formatTime: (time: string) => string;
  /** In English, `2:30 pm` becomes `14:30`. Null for what is no time. */
  readonly parseTime: (typed: string) => PlainTime | null;
}

const STYLES: Readonly<Record<DateStyle, Intl.DateTimeFormatOptions>> = {
  numeric: NUMERIC,
  long: { dateStyle: 'long' },
  full: { dateStyle: 'full' },
};

export function createDateFormats(code: string): DateFormats {
  const formatOf = cacheFormats(
    (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(code, { ...options, calendar: 'gregory', timeZone: 'UTC' }),
  );
  const read = once(() => createDateReader(code, formatOf));
  // Kyrgyz writes a year, a day and a month, which would be another date of ISO 8601.
  const looksLikeIso = once(
    () => `${orderOf(formatOf('numeric', STYLES.numeric))}` === 'year,day,month',
  );
  return {
    formatDate(date, style = 'long') {
      if (!isDate(date)) throw cannotFormat(date, 'a date', '2026-11-23');
      if (style === 'numeric' && looksLikeIso()) return date;
      return formatOf(style, STYLES[style]).format(Date.parse(date));
    },
    parseDate: (typed) => read().parseDate(typed),
    dateOrder: () => read().order,
    formatMonth(month) {
      if (!isMonth(month)) throw cannotFormat(month, 'a month', '2026-11');
      return formatOf('month', { month: 'long', year: 'numeric' }).format(Date.parse(month));
    },
    parseMonth: (typed) => read().parseMonth(typed),
    parseMonthName: (typed) => read().parseMonthName(typed),
    formatTime(time) {
      if (!isTime(time)) throw cannotFormat(time, 'a time', '14:30');
      return formatOf('time', { timeStyle: 'short' }).format(Date.parse(`1970-01-01T${time}Z`));
    },
    parseTime: (typed) => read().parseTime(typed),
  };
}

function cannotFormat(text: string, what: string, example: string): TypeError {
  return new TypeError(
    `Cannot format ${JSON.stringify(text)} as ${what}: pass ${what} that exists, such as ${example}.`,
  );
}
