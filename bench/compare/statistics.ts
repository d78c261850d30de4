/** What pairs of samples tell about two servers. */
import { median } from '../servers/harness/statistics.ts';

export interface Ratio {
  /** The median of the ratios of all pairs. */
  readonly value: number;
  /** Between these the true median lies with a confidence of at least 95 %, however the ratios are distributed. */
  readonly low: number;
  readonly high: number;
}

export function compareSamples(before: readonly number[], after: readonly number[]): Ratio {
  const ratios = after
    .map((value, at) => value / (before[at] ?? Number.NaN))
    .toSorted((a, b) => a - b);
  const rank = lowRank(ratios.length);
  return {
    value: median(ratios),
    low: ratios[rank] ?? Number.NaN,
    high: ratios[ratios.length - 1 - rank] ?? Number.NaN,
  };
}

/** Whether the interval is too wide to tell a difference of this share of the ratio. */
export function isNoisy({ value, low, high }: Ratio, share: number): boolean {
  return !(high - value <= share * value && value - low <= share * value);
}

/**
 * The index of the lower end among `count` sorted values; -1 if there are too few. The number of values below their
 * true median is binomial, and in at most 2.5 % of all samples it is as low as this index.
 */
function lowRank(count: number): number {
  let chance = 0.5 ** count;
  let sum = chance;
  let rank = -1;
  while (sum <= 0.025) {
    rank++;
    chance *= (count - rank) / (rank + 1);
    sum += chance;
  }
  return rank;
}
