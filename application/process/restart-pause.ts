/**
 * How long to wait before a process that has ended is started again: at once for an accident, ever
 * longer for one that keeps ending, so that a fault does not take the machine with it.
 */

/** Milliseconds. */
export const FIRST_PAUSE = 100;
export const LONGEST_PAUSE = 10_000;
/** A process that has lived as long as this had started well. */
const LONG_LIFE = 60_000;

/** The pause after a life of so many milliseconds; `previous` is null for the first one. */
export function nextPause(previous: number | null, life: number): number {
  if (previous === null || life >= LONG_LIFE) return FIRST_PAUSE;
  return Math.min(previous * 2, LONGEST_PAUSE);
}
