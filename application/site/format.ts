/**
 * Numbers, days and times as the team's region writes them, in the time zone of the team. That is the time zone
 * of the process: use the local methods of a Date, never those for UTC. `Intl` would take fourteen times as long,
 * and 14 ms more at start, so only a locale other than British English uses it.
 */
import { type Html, html } from 'seeother';
import type { Config } from '../settings/config.ts';

interface Region {
  readonly locale: string;
  readonly months: readonly string[];
  /** As in Nov 16, 2026. */
  readonly isMonthFirst: boolean;
  /** As in 6:02 pm. */
  readonly hasTwelveHours: boolean;
  readonly formatLarge: (value: number) => string;
}

const BRITISH: Region = {
  locale: 'en-GB',
  months: 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' '),
  isMonthFirst: false,
  hasTwelveHours: false,
  formatLarge: (value) => String(value).replace(/\B(?=(?:\d{3})+$)/g, ','),
};

const LONG_MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

let region = BRITISH;
let zone: string | null = null;

/** Call it once, at the start of the process. An empty time zone is that of the machine. */
export function setRegion({ timeZone, locale }: Pick<Config, 'timeZone' | 'locale'>): void {
  if (timeZone !== '') process.env['TZ'] = timeZone;
  zone = null;
  region = locale === 'en-GB' ? BRITISH : readRegion(locale);
}

function readRegion(locale: string): Region {
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const months = Array.from({ length: 12 }, (_, month) =>
    day.formatToParts(Date.UTC(2026, month, 16)),
  );
  const time = new Intl.DateTimeFormat(locale, { hour: 'numeric' });
  return {
    locale,
    months: months.map((parts) => parts.find(({ type }) => type === 'month')?.value ?? ''),
    isMonthFirst: months[0]?.[0]?.type === 'month',
    hasTwelveHours: time.resolvedOptions().hour12 === true,
    formatLarge: new Intl.NumberFormat(locale).format,
  };
}

/** Changes with the text of every time and number: it belongs to the version of a page with one. */
export function regionName(): string {
  return `${timeZoneName()} ${region.locale}`;
}

/** The time zone of the team, as in `Europe/Berlin`. */
export function timeZoneName(): string {
  // Where Node has Temporal, it knows the zone at once. The first format of dates takes 30 ms of the start.
  zone ??=
    globalThis.Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone;
}

/** An integer, as in 1,234,567. */
export function formatNumber(value: number): string {
  return Math.abs(value) < 1_000 ? String(value) : region.formatLarge(value);
}

export function formatCount(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** "2.1 MB". */
export function formatBytes(size: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'] as const;
  const at = size < 1_000 ? 0 : size < 999_500 ? 1 : size < 999_500_000 ? 2 : 3;
  const value = size / 1_000 ** at;
  return `${at > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[at]}`;
}

export function timeElement(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${formatTime(time)}</time>`;
}

/** The day, with the exact time in its title: for pages that are cached until a day has passed. */
export function dayElement(time: Date, now: Date): Html {
  return html`<time datetime="${time.toISOString()}" title="${formatTime(time)}">${formatDay(time, now)}</time>`;
}

/** How long ago, with the exact time in its title: for pages that are never cached. */
export function agoElement(time: Date, now: Date): Html {
  return html`<time datetime="${time.toISOString()}" title="${formatTime(time)}">${formatAgo(time, now)}</time>`;
}

/** The time alone, for a record below the heading of its day. */
export function clockElement(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${formatClock(time)}</time>`;
}

/** A day as in `2026-11-20`, without the year if it is that of `now`. */
export function dueElement(day: string, now?: Date): Html {
  return html`<time datetime="${day}">${formatDate(fromDay(day), now)}</time>`;
}

export function formatTime(time: Date): string {
  return `${formatDate(time)}, ${formatClock(time)}`;
}

function formatClock(time: Date): string {
  const hour = time.getHours();
  const minute = twoDigits(time.getMinutes());
  const clock = region.hasTwelveHours
    ? `${hour % 12 || 12}:${minute} ${hour < 12 ? 'am' : 'pm'}`
    : `${twoDigits(hour)}:${minute}`;
  // A team that has chosen its time zone, or whose machine has one, needs no name for it.
  return /^(?:Etc\/)?UTC$/.test(timeZoneName()) ? `${clock} UTC` : clock;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Days begin at midnight of the team, as in `toDayNumber`. */
export function formatDay(time: Date, now: Date): string {
  const days = toDayNumber(now) - toDayNumber(time);
  if (days < 1) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < 7 ? `${days} days ago` : formatDate(time, now);
}

/** "Today", "Yesterday", or "Monday 16 November 2026". */
export function formatDayHeading(time: Date, now: Date): string {
  const name = formatDay(time, now);
  if (name === 'Today' || name === 'Yesterday') return name;
  const [day, month, year] = [time.getDate(), LONG_MONTHS[time.getMonth()], time.getFullYear()];
  const weekday = WEEKDAYS[time.getDay()];
  return region.isMonthFirst
    ? `${weekday}, ${month} ${day}, ${year}`
    : `${weekday} ${day} ${month} ${year}`;
}

/** The day of the team, as in `2026-11-20`. */
export function toDay(time: Date): string {
  const year = String(time.getFullYear()).padStart(4, '0');
  return `${year}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`;
}

/** The beginning of a day such as `2026-11-20`: usually midnight. */
export function fromDay(day: string): Date {
  return new Date(`${day}T00:00`);
}

/** Changes when the text of a `dayElement` may change: it belongs to the version of a page with one. */
export function toDayNumber(time: Date): number {
  return Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / DAY;
}

export function formatAgo(time: Date, now: Date): string {
  const age = now.getTime() - time.getTime();
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${formatCount(Math.floor(age / MINUTE), 'minute', 'minutes')} ago`;
  if (age < DAY) return `${formatCount(Math.floor(age / HOUR), 'hour', 'hours')} ago`;
  if (age < 7 * DAY) return `${formatCount(Math.floor(age / DAY), 'day', 'days')} ago`;
  return formatDate(time, now);
}

/** Without the year, if it is the year of `now`. */
export function formatDate(time: Date, now?: Date): string {
  const [day, month, year] = [time.getDate(), region.months[time.getMonth()], time.getFullYear()];
  const date = region.isMonthFirst ? `${month} ${day}` : `${day} ${month}`;
  if (year === now?.getFullYear()) return date;
  return region.isMonthFirst ? `${date}, ${year}` : `${date} ${year}`;
}

/** Names in a sentence. Further ones are counted, because a message has at most 500 characters. */
const MAX_NAMED = 2;

export function listNames(names: readonly string[]): string {
  const shown = names.length <= MAX_NAMED + 1 ? names : names.slice(0, MAX_NAMED);
  const rest = names.length - shown.length;
  const parts = rest === 0 ? shown : [...shown, `${formatNumber(rest)} others`];
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
