/**
 * The queue of searches. Two run at a time; a limited number waits for a limited time; further ones are
 * refused. So many searches delay only other searches.
 */

/** Too many searches are waiting, or this one has waited too long. */
export class SearchQueueFull extends Error {
  override readonly name = 'SearchQueueFull';
}

/** Runs the search in turn. Rejects with SearchQueueFull if it has to wait too long. */
export type QueueSearch = <T>(search: () => Promise<T>) => Promise<T>;

const MAX_RUNNING = 2;
const MAX_WAITING = 30;
/** Milliseconds. */
const MAX_WAIT = 3_000;

export function createSearchQueue(): QueueSearch {
  /** Functions that start the waiting searches. */
  const waiting = new Set<() => void>();
  let running = 0;

  function waitForTurn(): Promise<void> {
    if (waiting.size >= MAX_WAITING) throw new SearchQueueFull('Too many searches are waiting.');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      waiting.delete(start);
      reject(new SearchQueueFull('The searches before this one have taken too long.'));
    }, MAX_WAIT);
    const start = () => {
      clearTimeout(timer);
      waiting.delete(start);
      resolve();
    };
    waiting.add(start);
    return promise;
  }

  return async (search) => {
    if (running >= MAX_RUNNING) await waitForTurn();
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
