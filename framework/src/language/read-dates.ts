/**
 * Reads dates, months and times as people type them in a language: in numbers, or with the name of the month in any
 * form that `Intl` writes. Months are found by the exact name first, then without accents, then by the beginning of
 * one name. What may be two months is none.
 *
 * A name keeps its combining marks: in Hindi they tell June from January.
 */
import { unifyCharacters } from './characters.ts';
import {
  isDate,
  isMonth,
  isTime,
  type PlainDate,
  type PlainMonth,
  type PlainTime,
} from './plain-date.ts';
import type { DatePart } from './words.ts';

export interface DateReader {
  readonly parseDate: (typed: string) => PlainDate | null;
  readonly parseMonth: (typed: string) => PlainMonth | null;
  readonly parseMonthName: (typed: string) => number | null;
  readonly parseTime: (typed: string) => PlainTime | null;
  /** Of a date in numbers. */
  readonly order: readonly DatePart[];
}

const LETTER = /\p{L}/u;
const DIGIT = /^\d/;
const MONTH_FIRST = /^(?<month>\d{1,2})[ ./-]*(?<year>\d{4})[ .]*$/;
const YEAR_FIRST = /^(?<year>\d{4})[ ./-]+(?<month>\d{1,2})[ .]*$/;
const DATE = /^(\d+)[ ./-]+(\d+)[ ./-]+(\d+)[ .]*$/;

/** A format of the Gregorian calendar in UTC, and its key. */
type FormatOf = (key: string, options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat;
type CreateFormat = (options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat;

/** Characters. A longer text is no date and no time. */
const MAX_LENGTH = 100;
export const NUMERIC: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
};

export function createDateReader(code: string, formatOf: FormatOf): DateReader {
  // Tables share formats, which cost more than all that is done with them.
  const create: CreateFormat = (options) => formatOf(JSON.stringify(options), options);
  const fold = createFold(code);
  const written = orderOf(create(NUMERIC));
  // ISO 8601 has the month before the day.
  const order = written[0] === 'year' ? PARTS : written;
  const names = once(() => findNames(code, create, fold));
  const periods = once(() => periodsOf(code).map((name) => toKey(fold(name))));
  const dates = once(() => tabulateDates(create, fold));
  const months = once(() => tabulateMonths(create, fold));
  const times = once(() => tabulateTimes(create, fold));
  /** The numbers of a text with words that only stand between them; empty if it has other words. */
  const toNumbers = (tokens: readonly string[]) => {
    const { between } = names();
    return tokens.every((token) => between.has(token) || DIGIT.test(token))
      ? tokens.filter((token) => DIGIT.test(token)).join(' ')
      : '';
  };
  return {
    order,
    parseDate(typed) {
      const text = fold(typed);
      if (!LETTER.test(text)) return readNumbers(text, order);
      const tokens = split(text);
      return (
        readDate(tokens, (others, at) => dates().get(template(others, [at]))) ??
        readNumbers(toNumbers(tokens), order) ??
        readDate(tokens, (others, at) => findMonth(others.toSpliced(at, 1), names()))
      );
    },
    parseMonth(typed) {
      const text = fold(typed);
      if (!LETTER.test(text)) return readMonthNumbers(text);
      const tokens = split(text);
      return (
        readMonth(tokens, (others) => months().get(template(others, []))) ??
        readMonthNumbers(toNumbers(tokens)) ??
        readMonth(tokens, (others) => findMonth(others, names()))
      );
    },
    parseMonthName(typed) {
      const tokens = split(fold(typed));
      const month = tokens.length === 0 ? null : findMonth(tokens, names());
      if (month !== null) return month || null;
      // In Japanese, a month is a number and a word that all months have.
      const number = LETTER.test(tokens.join('')) ? toNumbers(tokens) : '';
      return /^(?:[1-9]|1[0-2])$/.test(number) ? Number(number) : null;
    },
    parseTime(typed) {
      const text = fold(typed);
      if (isTime(text)) return text;
      const [, before = '', hour = '', minute, after = ''] =
        /^(\D*)(\d{1,2})(?: ?[:.h] ?(\d{2}))?(\D*)$/.exec(text) ?? [];
      const period = toKey(before + after);
      if (period === '' && hour !== '') return toTime(hour, minute ?? '');
      const tokens = split(text);
      const [written] = tokens.flatMap((minutes, at) => {
        const known = /^\d{1,2}$/.test(minutes) ? times().get(template(tokens, [at])) : undefined;
        return known === undefined ? [] : (toTime(`${known}`, minutes.padStart(2, '0')) ?? []);
      });
      if (written !== undefined) return written;
      if (!/^(?:0?[1-9]|1[0-2])$/.test(hour)) return null;
      const inMorning = Number(hour) % 12;
      const hours = [inMorning, inMorning + 12].find(
        (one) => period === periods()[one] || period === (one < 12 ? 'am' : 'pm'),
      );
      return hours === undefined ? null : toTime(String(hours), minute ?? '00');
    },
  };
}

/** The order in which a format writes numbers. */
export function orderOf(format: Intl.DateTimeFormat): readonly DatePart[] {
  return format
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => type === 'day' || type === 'month' || type === 'year');
}

export function once<Value>(make: () => Value): () => Value {
  let value: Value | null = null;
  return () => {
    value ??= make();
    return value;
  };
}

type Fold = (typed: string) => string;

/** In small letters of the language, with the same characters on both sides. Empty for a text that is too long. */
function createFold(code: string): Fold {
  return (typed) =>
    typed.length > MAX_LENGTH
      ? ''
      : unifyCharacters(typed)
          .trim()
          .toLocaleLowerCase(code)
          .replaceAll(/[\u200c\u200d]/g, '')
          // The small letter at the end of a Greek word.
          .replaceAll('ς', 'σ')
          // Capitals have no other one.
          .replaceAll('ß', 'ss')
          .normalize('NFC');
}

/** Words and numbers, without what separates them. */
function split(folded: string): readonly string[] {
  return folded.match(/\d+|[\p{L}\p{M}]+/gu) ?? [];
}

function toKey(folded: string): string {
  return folded.replaceAll(/[^\p{L}\p{M}]/gu, '');
}

/** With the year first, or in the order of the language. */
function readNumbers(text: string, order: readonly DatePart[]): PlainDate | null {
  const numbers = DATE.exec(text)?.slice(1) ?? [];
  const isYearFirst = numbers[0]?.length === 4;
  const [year, month, day] = PARTS.map(
    (part, at) => numbers[isYearFirst ? at : order.indexOf(part)],
  );
  return toDate(year, month, day);
}

const PARTS = ['year', 'month', 'day'] as const;

/** One number of four digits is the year, and one of one or two is the day. `find` knows the month of the rest. */
function readDate(
  tokens: readonly string[],
  find: (others: readonly string[], dayAt: number) => number | null | undefined,
): PlainDate | null {
  const { year, others } = takeYear(tokens);
  if (year === null) return null;
  const dates = others.flatMap((day, at) => {
    const month = /^\d{1,2}$/.test(day) ? find(others, at) : null;
    return toDate(year, `${month ?? ''}`, day) ?? [];
  });
  return dates.length === 1 ? (dates[0] ?? null) : null;
}

function readMonth(
  tokens: readonly string[],
  find: (others: readonly string[]) => number | null | undefined,
): PlainMonth | null {
  const { year, others } = takeYear(tokens);
  const month = year === null ? null : find(others);
  return year === null ? null : toMonth(year, `${month ?? ''}`);
}

function readMonthNumbers(text: string): PlainMonth | null {
  const { month, year } = (MONTH_FIRST.exec(text) ?? YEAR_FIRST.exec(text))?.groups ?? {};
  return month === undefined || year === undefined ? null : toMonth(year, month);
}

function takeYear(tokens: readonly string[]) {
  const years = tokens.filter((token) => /^\d{4}$/.test(token));
  const [year = null] = years.length === 1 ? years : [];
  return { year, others: tokens.filter((token) => token !== year) };
}

/** Numbers of months, or hours, by a text; NaN if it is that of several. */
type Table = Map<string, number>;

function add(table: Table, text: string, number: number): void {
  table.set(text, (table.get(text) ?? number) === number ? number : Number.NaN);
}

/** A text in which the numbers at these places may be any. */
function template(tokens: readonly string[], places: readonly number[]): string {
  return tokens.map((token, at) => (places.includes(at) ? '#' : token)).join(' ');
}

/** What each style writes for each month, for any year and day. */
function tabulateDates(create: CreateFormat, fold: Fold): Table {
  const table: Table = new Map();
  for (const style of DATE_STYLES) {
    const format = create(style);
    for (let month = 1; month <= 12; month++) {
      // Seven days for the weekdays. Their numbers are not those of months.
      for (let day = 21; day <= (style.dateStyle === 'full' ? 27 : 21); day++) {
        const { others } = takeYear(split(fold(format.format(Date.UTC(2026, month - 1, day)))));
        add(table, template(others, [others.indexOf(`${day}`)]), month);
      }
    }
  }
  return table;
}

function tabulateMonths(create: CreateFormat, fold: Fold): Table {
  const table: Table = new Map();
  for (const format of MONTH_STYLES.map(create)) {
    for (let month = 1; month <= 12; month++) {
      const { others } = takeYear(split(fold(format.format(Date.UTC(2026, month - 1)))));
      add(table, template(others, []), month);
    }
  }
  return table;
}

function tabulateTimes(create: CreateFormat, fold: Fold): Table {
  const table: Table = new Map();
  const format = create({ timeStyle: 'short' });
  for (let hour = 0; hour < 24; hour++) {
    const tokens = split(fold(format.format((hour * 60 + 59) * 60_000)));
    add(table, template(tokens, [tokens.indexOf('59')]), hour);
  }
  return table;
}

interface Names {
  /** Long and short ones, as they are written alone, with a day, and with a year. */
  readonly exact: Table;
  readonly withoutAccents: Table;
  /** Of one letter in many languages. */
  readonly narrow: Table;
  /** Words that stand between the parts of a date, also weekdays. */
  readonly between: ReadonlySet<string>;
}

/** Null if no month has the name, or several have it. */
function findMonth(tokens: readonly string[], names: Names): number | null {
  const bare = tokens.filter((token) => !names.between.has(token));
  return findName(tokens.join(''), names) ?? findName(bare.join(''), names) ?? null;
}

function findName(name: string, { exact, withoutAccents, narrow }: Names): number | undefined {
  const bare = toBare(name);
  return (
    exact.get(name) ??
    withoutAccents.get(bare) ??
    narrow.get(name) ??
    findBeginning(name, exact) ??
    findBeginning(bare, withoutAccents)
  );
}

function findBeginning(beginning: string, names: Table): number | undefined {
  const found: Table = new Map();
  if (beginning.length >= 2)
    for (const [name, month] of names) if (name.startsWith(beginning)) add(found, '', month);
  return found.get('');
}

/** Capitals have no accents in some languages, such as Greek. */
function toBare(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll('ı', 'i');
}

/** Abbreviations that many people write, and `Intl` does not. */
const OTHERS: Readonly<Record<string, Readonly<Record<string, number>>>> = { de: { mrz: 3 } };

const DATE_STYLES: readonly Intl.DateTimeFormatOptions[] = [
  ...(['long', 'full', 'medium'] as const).map((dateStyle) => ({ dateStyle })),
  { month: 'long', year: 'numeric', day: 'numeric' },
  { month: 'short', year: 'numeric', day: 'numeric' },
  NUMERIC,
];

const MONTH_STYLES: readonly Intl.DateTimeFormatOptions[] = [
  { month: 'long', year: 'numeric' },
  { month: 'short', year: 'numeric' },
];

/** V8 ends the process for the parts of a short month with a year alone, in a few languages. */
const NAME_STYLES: readonly Intl.DateTimeFormatOptions[] = [
  ...DATE_STYLES,
  { month: 'long', year: 'numeric' },
  ...(['long', 'short', 'narrow'] as const).map((month) => ({ month })),
  ...(['long', 'short'] as const).map((month) => ({ month, day: 'numeric' }) as const),
];

const MONTH = '|';

/** What is not the name. Scripts without spaces write its words as one, such as those before and after a weekday. */
function toRest({ type, value }: Intl.DateTimeFormatPart): string {
  if (type === 'month') return MONTH;
  return type === 'day' || type === 'year' ? `${value} ` : value;
}

/** Takes milliseconds, so it is done once for each language. */
function findNames(code: string, create: CreateFormat, fold: Fold): Names {
  const exact: Table = new Map(Object.entries(OTHERS[new Intl.Locale(code).language] ?? {}));
  const narrow: Table = new Map();
  const between = new Set<string>();
  for (const style of NAME_STYLES) {
    const format = create(style);
    const names = style.month === 'narrow' ? narrow : exact;
    for (let month = 1; month <= 12; month++) {
      // Seven days, for the weekdays.
      const days = style.dateStyle === 'full' && month === 1 ? 7 : 1;
      for (let day = 1; day <= days; day++) {
        const parts = format.formatToParts(Date.UTC(2026, month - 1, day));
        const value = parts.find(({ type }) => type === 'month')?.value ?? '';
        const name = split(fold(value)).join('');
        const [before = '', after = ''] = fold(parts.map(toRest).join('')).split(MONTH);
        for (const word of split(`${before} ${after}`)) if (!DIGIT.test(word)) between.add(word);
        if (!LETTER.test(name)) continue;
        add(names, name, month);
        // In Hebrew, a preposition is one word with the name.
        const [prefix = ''] = /[\p{L}\p{M}]*$/u.exec(before) ?? [];
        const [suffix = ''] = /^[\p{L}\p{M}]*/u.exec(after) ?? [];
        if (prefix + suffix !== '') add(names, prefix + name + suffix, month);
      }
    }
  }
  const withoutAccents: Table = new Map();
  for (const [name, month] of exact) add(withoutAccents, toBare(name), month);
  return { exact, withoutAccents, narrow, between };
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

function toDate(year = '', month = '', day = ''): PlainDate | null {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(date) ? date : null;
}

function toMonth(year: string, month: string): PlainMonth | null {
  const text = `${year}-${month.padStart(2, '0')}`;
  return isMonth(text) ? text : null;
}

function toTime(hour: string, minute: string): PlainTime | null {
  const time = `${hour.padStart(2, '0')}:${minute}`;
  return isTime(time) ? time : null;
}
