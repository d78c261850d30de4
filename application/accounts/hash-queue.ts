/**
 * The queue for password hashes. Hashing is slow on purpose, and many hashes at once would stall the service.
 *
 * Known devices have their own places, which are served first: a flood of log-ins from elsewhere does not keep users
 * out.
 */
import { createQueue } from '../site/queue.ts';

export type Origin = 'known device' | 'unknown device';

const queue = createQueue({ running: 2, waiting: 50 });

/** Runs the work after the work queued before it. Rejects with `QueueFull` when the queue is full. */
export function queueHash<T>(origin: Origin, work: () => Promise<T>): Promise<T> {
  return queue(work, origin === 'known device');
}
