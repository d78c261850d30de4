/**
 * Reads a day as tables write it: `2026-11-20`, also with a time behind it, `20.11.2026`, `20/11/2026` and
 * `20 Nov 2026`. With slashes, the day and the month change places between countries: of `05/06/2026` nobody knows
 * which it is, unless the other days of its column say it.
 */
import { unifyCharacters } from 'seeother/languages';

/** Which of the two numbers with slashes is first; null if no day says it. */
export type DayOrder = 'day' | 'month';

const ISO = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T\s].*)?$/;
const DOTTED = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d\d)(?:\s.*)?$/;
const SLASHED = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d\d)(?:\s.*)?$/;
/** `20 Nov 2026`, `Fri Nov 20, 2026`. */
const WORDS =
  /^(?:\p{L}{2,}\.?,? )?(?:(\d{1,2})\.? (\p{L}{3,})\.?|(\p{L}{3,})\.? (\d{1,2})),? (\d{4})(?:\s.*)?$/u;

/** In English, German and French, by the letters that tell them apart. */
const MONTHS = [
  /^jan/,
  /^(?:feb|fév|fev)/,
  /^(?:mar|mär|mrz)/,
  /^(?:apr|avr)/,
  /^(?:may|mai)/,
  /^(?:jun|juin)/,
  /^(?:jul|juil)/,
  /^(?:aug|aoû|aou)/,
  /^sep/,
  /^(?:oct|okt)/,
  /^nov/,
  /^(?:dec|dez|déc)/,
];

/** As in `2026-11-20`; null for a text that is no day, or may be two. */
export function readDay(typed: string, order: DayOrder | null = null): string | null {
  const text = unifyCharacters(typed);
  const [, year = '', month = '', day = ''] = ISO.exec(text) ?? [];
  if (year !== '') return toDay(year, month, day);
  const [, first = '', second = '', last = ''] = DOTTED.exec(text) ?? [];
  if (last !== '') return toDay(last, second, first);
  const both = readSlashed(text);
  if (both !== null) {
    const { day: dayFirst, month: monthFirst } = both;
    if (order !== null && both[order] !== null) return both[order];
    if (dayFirst !== null && monthFirst !== null && dayFirst !== monthFirst) return null;
    return dayFirst ?? monthFirst;
  }
  const [, front, name, word, back, end = ''] = WORDS.exec(text.toLowerCase()) ?? [];
  const at = MONTHS.findIndex((one) => one.test(name ?? word ?? ''));
  return at === -1 ? null : toDay(end, `${at + 1}`, front ?? back ?? '');
}

/** Which order a day proves; null for one that proves none. */
export function findDayOrder(typed: string): DayOrder | null {
  const both = readSlashed(unifyCharacters(typed));
  if (both === null || (both.day === null) === (both.month === null)) return null;
  return both.day === null ? 'month' : 'day';
}

function readSlashed(text: string): Readonly<Record<DayOrder, string | null>> | null {
  const [, one = '', other = '', end = ''] = SLASHED.exec(text) ?? [];
  return end === '' ? null : { day: toDay(end, other, one), month: toDay(end, one, other) };
}

/** Null for a day that no calendar has. Two digits of a year are those of this century. */
function toDay(year: string, month: string, day: string): string | null {
  const whole = year.length === 2 ? `20${year}` : year;
  const text = `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  // The date of February 30 is one in March.
  return new Date(Number.isNaN(time) ? 0 : time).toISOString().startsWith(text) ? text : null;
}

/** A moment in ISO 8601. A day is its noon, which is the same day in nearly all time zones. */
export function readMoment(text: string): string | null {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text)))
    return new Date(text).toISOString();
  const day = readDay(text);
  return day === null ? null : `${day}T12:00:00.000Z`;
}
