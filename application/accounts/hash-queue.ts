/**
 * The queue for password hashes. Hashing is slow on purpose, and many hashes at once would stall
 * the service. So two run at a time, and the queue is bounded.
 *
 * Known devices have their own queue, which is served first: a flood of log-ins from elsewhere does
 * not keep users out.
 */

/** The queue is full. */
export class HashQueueFull extends Error {
  override readonly name = 'HashQueueFull';
}

export type Origin = 'known device' | 'unknown device';

const AT_ONCE = 2;
const MAX_QUEUE_LENGTH = 50;

let running = 0;
const queues: Readonly<Record<Origin, (() => void)[]>> = {
  'known device': [],
  'unknown device': [],
};

/**
 * Runs the work after the work queued before it. Rejects with HashQueueFull when the queue is full.
 */
export async function queueHash<T>(origin: Origin, work: () => Promise<T>): Promise<T> {
  await takeTurn(origin);
  try {
    return await work();
  } finally {
    const next = queues['known device'].shift() ?? queues['unknown device'].shift();
    if (next === undefined) running--;
    else next();
  }
}

async function takeTurn(origin: Origin): Promise<void> {
  if (running < AT_ONCE) {
    running++;
    return;
  }
  const queue = queues[origin];
  if (queue.length >= MAX_QUEUE_LENGTH)
    throw new HashQueueFull('Too many passwords are being checked at once.');
  const { promise, resolve } = Promise.withResolvers<void>();
  queue.push(resolve);
  await promise;
}
