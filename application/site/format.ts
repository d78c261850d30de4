/**
 * Numbers and times as British English writes them. Times are in UTC and say so, because the server
 * does not know the user's time zone. `Intl` would take fourteen times as long, and 14 ms more at
 * start.
 */
import { type Html, html } from 'seeother';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');

/** An integer, as in 1,234,567. */
export function formatNumber(value: number): string {
  const digits = String(value);
  return digits.length < 4 ? digits : digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

export function formatCount(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

export function timeElement(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${formatTime(time)}</time>`;
}

/** The day, with the exact time in its title: for pages that are cached until a day has passed. */
export function dayElement(time: Date, now: Date): Html {
  const iso = time.toISOString();
  return html`<time datetime="${iso}" title="${formatTime(time, iso)}">${formatDay(time, now)}</time>`;
}

/** How long ago, with the exact time in its title: for pages that are never cached. */
export function agoElement(time: Date, now: Date): Html {
  return html`<time datetime="${time.toISOString()}" title="${formatTime(time)}">${formatAgo(time, now)}</time>`;
}

export function formatTime(time: Date, iso = time.toISOString()): string {
  return `${formatDate(time)}, ${iso.slice(11, 16)} UTC`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Days begin at midnight UTC, as in `toDayNumber`. */
export function formatDay(time: Date, now: Date): string {
  const days = toDayNumber(now) - toDayNumber(time);
  if (days < 1) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < 7 ? `${days} days ago` : formatDate(time, now);
}

/** The day in UTC, as in `2026-11-20`. */
export function toDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Changes when the text of a `dayElement` may change: it belongs to the version of a page with one. */
export function toDayNumber(time: Date): number {
  return Math.floor(time.getTime() / DAY);
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
  const date = `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]}`;
  const year = time.getUTCFullYear();
  return year === now?.getUTCFullYear() ? date : `${date} ${year}`;
}
