/** Numbers, times and addresses, as the application's pages show them. */
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');

export function formatNumber(value: number): string {
  const digits = String(value);
  return digits.length < 4 ? digits : digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

export function formatTime(time: Date): string {
  const date = `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}`;
  return `${date}, ${twoDigits(time.getUTCHours())}:${twoDigits(time.getUTCMinutes())} UTC`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** A value in the query of an address. */
export function encodeQuery(value: string): string {
  return encodeURIComponent(value).replaceAll('%20', '+');
}
