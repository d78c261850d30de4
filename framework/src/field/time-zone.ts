/**
 * The instant of a local time in a time zone, by the data of `Intl`. A local time that does not exist, because clocks
 * are put forward, is taken as if they were not; of one that exists twice, the first is meant. This is the rule
 * "compatible" of `Temporal`. A text can say which of the two is meant, by the offset of the zone: `+01:00`.
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

/**
 * All are in milliseconds; `local` is as if it were UTC. Null with an offset that the zone does not have then.
 */
export function toInstant(local: number, zone: Zone, offset: number | null = null): number | null {
  const offsets = offsetsOf(local, zone);
  if (offset !== null) return offsets.includes(offset) ? local - offset : null;
  return local - (offsets[0] ?? zone.offsetAt(local - DAY));
}

/** The offset if the local time exists twice, and else null. */
export function toDoubtful(local: number, instant: number, zone: Zone): number | null {
  const offsets = offsetsOf(local, zone);
  return offsets.length > 1 && offsets.includes(local - instant) ? local - instant : null;
}

/** None for a local time that does not exist, and two for one that exists twice, the first one first. */
function offsetsOf(local: number, { offsetAt }: Zone): readonly number[] {
  // No zone changes its clocks twice within two days.
  const around = new Set([offsetAt(local - DAY), offsetAt(local + DAY)]);
  return [...around].filter((offset) => offsetAt(local - offset) === offset);
}

/** `+01:00`, as in ISO 8601. */
export function writeOffset(offset: number): string {
  const text = new Date(Math.abs(offset)).toISOString().slice(11, 19);
  return `${offset < 0 ? '-' : '+'}${text.replace(/:00$/, '')}`;
}

const OFFSET = / ?\(?(?:utc|gmt)? ?([+-])(\d{2}):(\d{2})(?::(\d{2}))?\)?$/i;

/** The text without the offset behind it. Null for a text without one. */
export function splitOffset(
  text: string,
): { readonly rest: string; readonly offset: number } | null {
  const found = OFFSET.exec(text);
  if (found === null) return null;
  const [, sign, hours, minutes, seconds = '0'] = found;
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return { rest: text.slice(0, found.index), offset: sign === '-' ? -offset : offset };
}
