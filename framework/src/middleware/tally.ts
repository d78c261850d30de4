/**
 * Counts an event that can happen ten thousand times a second, and reports the count at most once per
 * interval: a log line per event would cost more than the event, and fill the disk.
 */

export interface Tally {
  /** Returns the count of this interval. */
  readonly count: () => number;
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
      // Deno's timers are numbers.
      if (count++ === 0) setTimeout(reportCount, interval).unref?.();
      return count;
    },
    report: reportCount,
  };
}

/** The text of an event, and before it the number of those that have no line of their own. */
export function tellMore(text: string, more: number, what: string): string {
  if (more === 0) return text;
  return `${more} more ${more === 1 ? 'request was' : 'requests were'} ${what}. The last: ${text}`;
}

/**
 * Reports the first event of an interval at once, so that a rare one has its own line, and at the end the
 * last one with the number of those after the first. The function returns whether it has reported.
 */
export function createDigest<Event>(
  report: (event: Event, more: number) => void,
): (event: Event) => boolean {
  let last: Event;
  const tally = createTally((count) => {
    if (count > 1) report(last, count - 1);
  });
  return (event) => {
    last = event;
    const isFirst = tally.count() === 1;
    if (isFirst) report(event, 0);
    return isFirst;
  };
}
