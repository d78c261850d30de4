/** Numbers, times and addresses, as the application's pages show them. */
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');

export function formatNumber(value: number): string {
  const digits = String(value);
  return digits.length < 4 ? digits : digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

export function formatTime(time: Date): string {
  return `${formatDate(time)}, ${twoDigits(time.getUTCHours())}:${twoDigits(time.getUTCMinutes())} UTC`;
}

const DAY = 86_400_000;

export function formatDay(time: Date, now = new Date()): string {
  const days = Math.floor(now.getTime() / DAY) - Math.floor(time.getTime() / DAY);
  if (days < 1) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < 7 ? `${days} days ago` : formatDate(time, now);
}

/** Without the year, if it is the year of `now`. */
function formatDate(time: Date, now?: Date): string {
  const date = `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]}`;
  const year = time.getUTCFullYear();
  return year === now?.getUTCFullYear() ? date : `${date} ${year}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
