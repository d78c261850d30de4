/**
 * The queue of searches. Two run at a time, a bounded number waits for a bounded time, and the next one is
 * refused: whoever sends many searches keeps others from searching for a moment, and from nothing else.
 */

/** Too many searches are under way. */
export class SearchQueueFull extends Error {
  override readonly name = 'SearchQueueFull';
}

/** Runs the search when it is its turn. Rejects with SearchQueueFull when it has to wait too long. */
export type QueueSearch = <T>(search: () => Promise<T>) => Promise<T>;

const AT_ONCE = 2;
const LONGEST_QUEUE = 30;
/** Milliseconds. */
const LONGEST_WAIT = 3_000;

export function createSearchQueue(): QueueSearch {
  /** Each starts the search that waits. */
  const waiting = new Set<() => void>();
  let running = 0;

  function waitForTurn(): Promise<void> {
    if (waiting.size >= LONGEST_QUEUE) throw new SearchQueueFull('Too many searches are waiting.');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      waiting.delete(start);
      reject(new SearchQueueFull('The searches before this one have taken too long.'));
    }, LONGEST_WAIT);
    const start = () => {
      clearTimeout(timer);
      waiting.delete(start);
      resolve();
    };
    waiting.add(start);
    return promise;
  }

  return async (search) => {
    if (running >= AT_ONCE) await waitForTurn();
    else running++;
    try {
      return await search();
    } finally {
      const [next] = waiting;
      if (next === undefined) running--;
      else next();
    }
  };
}
