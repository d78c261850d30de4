/**
 * Counts an event that can happen ten thousand times a second, and reports the count at most once per
 * interval: a log line per event would cost more than the event.
 */

export interface Tally {
  readonly count: () => void;
  /** Reports the remaining count now. */
  readonly report: () => void;
}

/** Milliseconds between two reports. */
const INTERVAL = 5_000;

export function createTally(report: (count: number) => void, interval: number = INTERVAL): Tally {
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
