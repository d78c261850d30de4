/**
 * Counts something that may happen ten thousand times a second, and reports the count at most once in an
 * interval: a line of the log for each would cost more than what it tells of.
 */

export interface Tally {
  readonly count: () => void;
  /** Reports at once what was not reported yet. */
  readonly report: () => void;
}

/** Milliseconds between two reports. */
const INTERVAL = 5_000;

export function createTally(report: (count: number) => void, interval = INTERVAL): Tally {
  let count = 0;
  const reportCount = () => {
    if (count > 0) report(count);
    count = 0;
  };
  return {
    count() {
      if (count++ === 0) setTimeout(reportCount, interval).unref();
    },
    report: reportCount,
  };
}
