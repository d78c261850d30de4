/** Numbers, times and addresses, as the application's pages show them. */
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

export function formatTime(time: Date): string {
  return TIME.format(time);
}

/** A value in the query of an address. */
export function encodeQuery(value: string): string {
  return encodeURIComponent(value).replaceAll('%20', '+');
}
