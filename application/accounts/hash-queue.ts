/**
 * The queue of those that wait for a password to be hashed. A hash is made to be slow, so that many
 * at once would stop the service: two run at a time, and a bounded number waits.
 *
 * Known devices have a queue of their own, which goes first: log-ins of strangers, however many, do
 * not keep a colleague out.
 */

/** Too many passwords are waiting to be checked already. */
export class HashQueueFull extends Error {
  override readonly name = 'HashQueueFull';
}

export type Origin = 'known device' | 'stranger';

const AT_ONCE = 2;
const MAX_QUEUE_LENGTH = 50;

let running = 0;
const queues: Readonly<Record<Origin, (() => void)[]>> = { 'known device': [], stranger: [] };

/** Runs the work when it is its turn. Rejects with HashQueueFull when too many are waiting. */
export async function queueHash<T>(origin: Origin, work: () => Promise<T>): Promise<T> {
  await takeTurn(origin);
  try {
    return await work();
  } finally {
    const next = queues['known device'].shift() ?? queues.stranger.shift();
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
