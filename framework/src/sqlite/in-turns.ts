/** Long work in the main thread, with turns of the event loop between its parts. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work after which the event loop gets a turn. */
const MAX_TURN = 3;

/**
 * Does `work` for one element after the other. Stops at the first for which it fails, and resolves to it, else to null.
 */
export async function inTurns<T>(
  list: Iterable<T>,
  work: (one: T) => Promise<boolean>,
): Promise<T | null> {
  let since = performance.now();
  for (const one of list) {
    if (performance.now() - since > MAX_TURN) {
      await nextTurn();
      since = performance.now();
    }
    if (!(await work(one))) return one;
  }
  return null;
}
