/**
 * The instant of a local time in a time zone, by the data of `Intl`. A local time that does not exist, because clocks
 * are put forward, is taken as if they were not; of one that exists twice, the first is meant. This is the rule
 * "compatible" of `Temporal`.
 */

const DAY = 86_400_000;

export interface Zone {
  /** Milliseconds to add to UTC at this instant. */
  readonly offsetAt: (instant: number) => number;
}

/** Null for a name that is no time zone. */
export function findZone(name: string): Zone | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' });
  } catch {
    return null;
  }
  return {
    offsetAt(instant) {
      const written = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName');
      // `GMT`, `GMT+05:30`, and before there were zones, `GMT-04:56:02`.
      const [, sign, hours = '0', minutes = '0', seconds = '0'] =
        /([+-])(\d+):(\d+)(?::(\d+))?/.exec(written?.value ?? '') ?? [];
      const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
      return (sign === '-' ? -offset : offset) * 1_000;
    },
  };
}

/** Both in milliseconds: the local time as if it were UTC, and the instant. */
export function toInstant(local: number, { offsetAt }: Zone): number {
  // No zone changes its clocks twice within two days.
  const before = offsetAt(local - DAY);
  const after = offsetAt(local + DAY);
  if (before === after) return local - before;
  const fits = [before, after].find((offset) => offsetAt(local - offset) === offset);
  return local - (fits ?? before);
}
