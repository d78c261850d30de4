/**
 * Dates and times as a language writes and reads them, by the data of `Intl`. A date is text such as `2026-11-23`, in
 * the Gregorian calendar, and a time is text such as `14:30`. Neither has a time zone.
 *
 * A date is read in the order of the language, or in that of ISO 8601. A year has four digits, so that a text has one
 * reading.
 */
import { type Checked, cacheFormats, createDigitReader, unifySpaces } from './formats.ts';
import type { DatePart } from './words.ts';

/** A date such as `2026-11-23`, which exists, in the years 0001 to 9999. */
export type PlainDate = Checked<'PlainDate'>;
/** A month such as `2026-11`. */
export type PlainMonth = Checked<'PlainMonth'>;
/** A time such as `14:30` or `14:30:15`. */
export type PlainTime = Checked<'PlainTime'>;

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
  numeric: { year: 'numeric', month: '2-digit', day: '2-digit' },
  long: { dateStyle: 'long' },
  full: { dateStyle: 'full' },
};

export function createDateFormats(code: string): DateFormats {
  const formatOf = cacheFormats(
    (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(code, { ...options, calendar: 'gregory', timeZone: 'UTC' }),
  );
  let reader: Reader | null = null;
  const read = () => {
    reader ??= createReader(code, formatOf);
    return reader;
  };
  return {
    formatDate(date, style = 'long') {
      if (!isDate(date)) throw cannotFormat(date, 'a date', '2026-11-23');
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

/** Characters. A longer text is no date and no time. */
const MAX_LENGTH = 100;

interface Reader
  extends Pick<DateFormats, 'parseDate' | 'parseMonth' | 'parseMonthName' | 'parseTime'> {
  readonly order: readonly DatePart[];
}

function createReader(
  code: string,
  formatOf: (key: string, options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat,
): Reader {
  const toAscii = createDigitReader(code);
  const unify = (typed: string) =>
    typed.length > MAX_LENGTH ? '' : toAscii(unifySpaces(typed)).trim().toLowerCase();
  const parts = formatOf('numeric', STYLES.numeric).formatToParts(0);
  const order = parts
    .map(({ type }) => type)
    .filter((type) => type === 'day' || type === 'month' || type === 'year');
  const [yearAt, monthAt, dayAt] = (['year', 'month', 'day'] as const).map((type) =>
    order.indexOf(type),
  ) as [number, number, number];
  // Some languages write a word after the year.
  const words = parts.flatMap(({ type, value }) =>
    type === 'literal' ? (value.match(/\p{L}+/gu) ?? []) : [],
  );
  const months = Array.from({ length: 12 }, (_, at) =>
    formatOf('name', { month: 'long' }).format(Date.UTC(2000, at)).toLowerCase(),
  );
  const parseMonthName = (typed: string) => {
    const letters = typed.length > 30 ? '' : toLetters(typed.toLowerCase());
    if (letters.length < 2) return null;
    const at = months.findIndex((name) => name.startsWith(letters));
    const isOnly = at === months.findLastIndex((name) => name.startsWith(letters));
    return at >= 0 && isOnly ? at + 1 : null;
  };
  const periods = periodsOf(code).map((name) => toLetters(unify(name)));
  return {
    order,
    parseDate(typed) {
      const text = words.reduce((left, word) => left.replace(unify(word), ' '), unify(typed));
      const numbers = /^(\d+)[ ./-]+(\d+)[ ./-]+(\d+)[ .]*$/.exec(text)?.slice(1) ?? [];
      const at = (index: number) => numbers[index]?.padStart(2, '0');
      const date =
        numbers[0]?.length === 4
          ? `${numbers[0]}-${at(1)}-${at(2)}`
          : `${numbers[yearAt]}-${at(monthAt)}-${at(dayAt)}`;
      return isDate(date) ? date : null;
    },
    parseMonth(typed) {
      const [, name = '', year = ''] =
        /^([\p{L}\p{M}.]{2,30}|\d{1,2})[ ./-]*(\d{4})$/u.exec(typed) ?? [];
      const number = /^\d/.test(name) ? Number(name) : parseMonthName(name);
      const month = `${year}-${String(number).padStart(2, '0')}`;
      return isMonth(month) ? month : null;
    },
    parseMonthName,
    parseTime(typed) {
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

export function isDate(text: string): text is PlainDate {
  const time = /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // The parser of JavaScript takes the 30th of February for the 2nd of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export function isMonth(text: string): text is PlainMonth {
  return isDate(`${text}-01`);
}

function toTime(hour: string, minute: string): PlainTime | null {
  const time = `${hour.padStart(2, '0')}:${minute}`;
  return isTime(time) ? time : null;
}

export function isTime(text: string): text is PlainTime {
  return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(text);
}

function cannotFormat(text: string, what: string, example: string): TypeError {
  return new TypeError(
    `Cannot format ${JSON.stringify(text)} as ${what}: pass ${what} that exists, such as ${example}.`,
  );
}
