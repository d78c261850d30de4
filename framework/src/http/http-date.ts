/**
 * HTTP dates in their three formats (RFC 9110 section 5.6.7). `Date.parse` would also accept many other
 * texts, some of them as local time.
 */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)';
const FORMS = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(
    `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`,
  ),
  // Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(
    `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`,
  ),
  // Sun Nov  6 08:49:37 1994
  new RegExp(
    `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`,
  ),
];

/** Milliseconds since 1970, or null if the text is not an HTTP date. */
export function parseHttpDate(text: string, now: number = Date.now()): number | null {
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) return toTime(parts, now);
  }
  return null;
}

function toTime(parts: Readonly<Record<string, string>>, now: number): number | null {
  const { year = '', month = '', hour, minute, second } = parts;
  const day = Number(parts['day']);
  const fullYear = year.length === 2 ? toFullYear(Number(year), now) : Number(year);
  const date = new Date(0);
  date.setUTCFullYear(fullYear, MONTHS.indexOf(month), day);
  // The month does not have this day.
  if (date.getUTCDate() !== day) return null;
  return date.setUTCHours(Number(hour), Number(minute), Number(second));
}

/** A year of two digits: the latest matching year that is at most 50 years ahead. */
function toFullYear(twoDigits: number, now: number): number {
  const latest = new Date(now).getUTCFullYear() + 50;
  return latest - ((latest - twoDigits) % 100);
}
