/** Random choices that are the same with each run, for files that look real. */

export type Random = ReturnType<typeof createRandom>;

export function createRandom(seed: number) {
  let state = seed;
  /** From 0 to 1. mulberry32. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    whole,
    one: <One>(list: readonly One[]): One => list[whole(0, list.length - 1)] as One,
    /** True in so many of 100 cases. */
    chance: (percent: number): boolean => next() * 100 < percent,
    /** As in `2024-03-09`. */
    day: (): string =>
      new Date(Date.UTC(2015, 0, 1) + whole(0, 4_300) * 86_400_000).toISOString().slice(0, 10),
    /** As in `1299.95`. */
    price: (): string => (whole(50, 250_000) / 100).toFixed(2),
    letters: (count: number): string =>
      Array.from({ length: count }, () => 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'[whole(0, 31)]).join(
        '',
      ),
  };
}

/** A line of a file with commas or another separator. */
export function toCsv(rows: readonly (readonly string[])[], separator = ','): string {
  const quote = (cell: string) =>
    /[",;\n\r\t]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return rows.map((row) => `${row.map(quote).join(separator)}\n`).join('');
}

/** What an import must have made of a row. */
export interface ExpectedThing {
  readonly name: string;
  readonly location: string;
  readonly quantity: number;
  readonly serial: string;
  /** By the labels of the fields, as text for people; empty ones are left out. */
  readonly own: Readonly<Record<string, string>>;
  readonly lentTo?: string;
}

export interface RealExport {
  readonly name: string;
  readonly file: string;
  readonly things: readonly ExpectedThing[];
}
