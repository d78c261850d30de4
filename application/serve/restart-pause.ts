/**
 * The delay before a process that has ended is restarted: short after a single failure, longer for a
 * process that keeps failing, so that it does not use up the machine.
 */

/** Milliseconds. */
const FIRST_PAUSE = 100;
const MAX_PAUSE = 10_000;
/** A process that has lived this long counts as started successfully. */
const LONG_LIFE = 60_000;

/** The delay after a life of `lifetime` milliseconds; `previous` is null for the first one. */
export function nextPause(previous: number | null, life: number): number {
  if (previous === null || life >= LONG_LIFE) return FIRST_PAUSE;
  return Math.min(previous * 2, MAX_PAUSE);
}
