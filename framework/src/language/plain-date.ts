/** Dates, months and times as text of ISO 8601, in the Gregorian calendar and without a time zone. */
import type { Checked } from './formats.ts';

/** A date such as `2026-11-23`, which exists, in the years 0001 to 9999. */
export type PlainDate = Checked<'PlainDate'>;
/** A month such as `2026-11`. */
export type PlainMonth = Checked<'PlainMonth'>;
/** A time such as `14:30` or `14:30:15`. */
export type PlainTime = Checked<'PlainTime'>;

export function isDate(text: string): text is PlainDate {
  const time = /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // The parser of JavaScript takes the 30th of February for the 2nd of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export function isMonth(text: string): text is PlainMonth {
  return isDate(`${text}-01`);
}

export function isTime(text: string): text is PlainTime {
  return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(text);
}
