/** Long work in the main thread, with turns of the event loop between its parts. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work after which the event loop gets a turn. */
const MAX_TURN = 3;

/** Yields the elements of the list. What is done with one of them counts as its work. */
export async function* inTurns<T>(list: Iterable<T>): AsyncGenerator<T> {
  let since = performance.now();
  for (const one of list) {
    if (performance.now() - since > MAX_TURN) {
      await nextTurn();
      since = performance.now();
    }
    yield one;
  }
}
