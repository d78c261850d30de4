/**
 * The queue for password hashes. Hashing is slow on purpose, and many hashes at once would stall the service.
 *
 * Known devices have their own places, which are served first: a flood of log-ins from elsewhere does not keep users
 * out. A site has one queue, which all its hashes pass: those of new passwords too.
 */
import { HttpError } from '../http/http-error.ts';
import { createQueue, QueueFull, type QueueLimits } from '../middleware/queue.ts';

/** Where a hash is asked for: in a browser in which its account has logged in before, or elsewhere. */
export type Origin = 'known device' | 'unknown device';

/**
 * Runs the work after the work queued before it. Rejects with a 503 and `Retry-After` when the queue is full, which is
 * no error of the site.
 */
export type QueueHash = <T>(origin: Origin, work: () => Promise<T>) => Promise<T>;

export type HashLimits = Pick<QueueLimits, 'running' | 'waiting'>;

/** By default two hashes at once, and 50 of each origin wait. */
export function createHashQueue(limits: Partial<HashLimits> = {}): QueueHash {
  const { running = 2, waiting = 50 } = limits;
  const queue = createQueue({ running, waiting });
  return async (origin, work) => {
    try {
      return await queue(work, origin === 'known device');
    } catch (cause) {
      throw cause instanceof QueueFull ? busy(cause) : cause;
    }
  };
}

/** Too many log in at once. */
export function busy(cause?: unknown): HttpError {
  return new HttpError(503, ({ words }) => words.passwords.busy, {
    cause,
    headers: { 'Retry-After': '5' },
  });
}
