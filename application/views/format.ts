/** Numbers and times in words. Times are UTC and say so: the server does not know the reader's zone. */
import { type Html, html } from 'seeother';

const NUMBER = new Intl.NumberFormat('en-GB');
const TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
});

export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

export function formatCount(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

export function timeElement(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${formatTime(time)}</time>`;
}

export function formatTime(time: Date): string {
  return TIME.format(time);
}
