/**
 * Reads a day as tables write it: `2026-11-20`, also with a time behind it, `20.11.2026` and `20/11/2026`. With
 * slashes, the day and the month change places between countries: of `05/06/2026` nobody knows which it is.
 */
import { unifyCharacters } from 'seeother/languages';

const ISO = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T\s].*)?$/;
const DOTTED = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?:\s.*)?$/;
const SLASHED = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?:\s.*)?$/;

/** As in `2026-11-20`; null for a text that is no day, or may be two. */
export function readDay(typed: string): string | null {
  const text = unifyCharacters(typed);
  const [, year = '', month = '', day = ''] = ISO.exec(text) ?? [];
  if (year !== '') return toDay(year, month, day);
  const [, first = '', second = '', last = ''] = DOTTED.exec(text) ?? [];
  if (last !== '') return toDay(last, second, first);
  const [, one = '', other = '', end = ''] = SLASHED.exec(text) ?? [];
  const [dayFirst, monthFirst] = [toDay(end, other, one), toDay(end, one, other)];
  if (dayFirst !== null && monthFirst !== null && dayFirst !== monthFirst) return null;
  return dayFirst ?? monthFirst;
}

/** Null for a day that no calendar has. */
function toDay(year: string, month: string, day: string): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
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
