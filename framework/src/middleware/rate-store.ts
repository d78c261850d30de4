/**
 * The buckets of `limitRate`. A bucket holds `max` requests. A request takes one from each of its buckets, or none if
 * one is empty; `within / max` milliseconds later, the bucket has it again. So a client can send `max` at once, and
 * fewer than twice `max` in any time of the length `within`.
 *
 * A bucket is stored as the time at which it is full again, and not at all once it is full.
 */
import type { Awaitable } from '../http/awaitable.ts';

export interface Bucket {
  readonly key: string;
  /** How many requests it holds. */
  readonly max: number;
}

/** A bucket without a request left. */
export interface EmptyBucket {
  readonly key: string;
  /** Milliseconds until it has one again. */
  readonly wait: number;
}

/** Whole seconds for `Retry-After`, at least one. */
export function secondsUntilNext({ wait }: EmptyBucket): number {
  return Math.max(1, Math.ceil(wait / 1_000));
}

/** Where `limitRate` counts. `createRateStore` of `seeother/database` makes one for several processes. */
export interface RateStore {
  /** Null if one was taken from each; otherwise an empty one, and nothing was taken. No two calls take the same one. */
  readonly take: (buckets: readonly Bucket[], within: number) => Awaitable<EmptyBucket | null>;
  /** Puts back what `take` has taken. */
  readonly giveBack: (buckets: readonly Bucket[], within: number) => Awaitable<void>;
}

/** Milliseconds until a bucket has one more request. Whole, so that no rounding adds up. */
export function intervalOf({ max }: Bucket, within: number): number {
  return Math.floor(within / max);
}

/** Times at which a bucket may be full again. */
export interface Bounds {
  /** Up to this time, it has a request left. */
  readonly latest: number;
  /**
   * A later time was written before the clock was set back, and counts for nothing. The clocks of several machines
   * differ by less than `within`.
   */
  readonly ignored: number;
}

export function boundsOf(bucket: Bucket, within: number, now: number): Bounds {
  return { latest: now + within - intervalOf(bucket, within), ignored: now + 2 * within };
}

/** Milliseconds until the bucket has a request; 0 if it has one. */
export function waitFor(bucket: Bucket, fullAt: number, within: number, now: number): number {
  const { latest, ignored } = boundsOf(bucket, within, now);
  return fullAt > ignored ? 0 : Math.max(0, fullAt - latest);
}

/**
 * Half of the buckets in memory, which take about 10 MB. A client needs this many addresses to make the limit forget
 * `max` of its requests.
 */
const MAX_BUCKETS = 50_000;

/**
 * Buckets in the memory of this process. Those that were not used for `within` are full, so they are forgotten in two
 * generations: of each, the younger one becomes the older one after that time, or once it has `maxBuckets`.
 */
export function createMemoryRateStore(maxBuckets: number = MAX_BUCKETS): RateStore {
  let younger = new Map<string, number>();
  let older = younger;
  let changedAt = 0;

  const fullAtOf = (key: string) => younger.get(key) ?? older.get(key) ?? 0;
  const forget = (within: number, now: number): void => {
    if (younger.size < maxBuckets && Math.abs(now - changedAt) < within) return;
    older = younger;
    younger = new Map();
    changedAt = now;
  };

  return {
    take(taken, within) {
      const now = Date.now();
      forget(within, now);
      for (const bucket of taken) {
        const wait = waitFor(bucket, fullAtOf(bucket.key), within, now);
        if (wait > 0) return { key: bucket.key, wait };
      }
      for (const bucket of taken) {
        const fullAt = fullAtOf(bucket.key);
        const { ignored } = boundsOf(bucket, within, now);
        const start = fullAt < now || fullAt > ignored ? now : fullAt;
        younger.set(bucket.key, start + intervalOf(bucket, within));
      }
      return null;
    },
    giveBack(taken, within) {
      for (const bucket of taken) {
        const fullAt = fullAtOf(bucket.key);
        if (fullAt > 0) younger.set(bucket.key, fullAt - intervalOf(bucket, within));
      }
    },
  };
}
