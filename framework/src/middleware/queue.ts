/**
 * A bounded queue for work that is dear: so much of it runs at a time, a limited number waits, maybe for a limited
 * time, and further work is refused. So a flood of it delays nothing else.
 */

/** Too much is waiting, or this work has waited too long. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

export interface QueueLimits {
  readonly running: number;
  /** Those that are served first have as many places again. */
  readonly waiting: number;
  /** Milliseconds that work waits; without it, until it is its turn. */
  readonly wait?: number;
}

/** Runs the work in turn, or before what is not `first`. Rejects with `QueueFull` if it is refused. */
export type Enqueue = <T>(work: () => Promise<T>, isFirst?: boolean) => Promise<T>;

/** The limits hold within one process. */
export function createQueue({ running: max, waiting, wait }: QueueLimits): Enqueue {
  /** Functions that start what waits. */
  const [first, others] = [new Set<() => void>(), new Set<() => void>()];
  let running = 0;

  function waitForTurn(queue: Set<() => void>): Promise<void> {
    if (queue.size >= waiting) throw new QueueFull('Too many are waiting.');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const refuse = () => {
      queue.delete(start);
      reject(new QueueFull('Those before this one have taken too long.'));
    };
    const timer = wait === undefined ? undefined : setTimeout(refuse, wait);
    const start = () => {
      clearTimeout(timer);
      queue.delete(start);
      resolve();
    };
    queue.add(start);
    return promise;
  }

  return async (work, isFirst = false) => {
    if (running >= max) await waitForTurn(isFirst ? first : others);
    else running++;
    try {
      return await work();
    } finally {
      const [next] = first.size > 0 ? first : others;
      if (next === undefined) running--;
      else next();
    }
  };
}
