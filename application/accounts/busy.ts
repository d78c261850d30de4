/** Too many concurrent log-ins get a 503 with `Retry-After`; this is not an error of the application. */
import { HttpError } from 'seeother';
import { QueueFull } from '../site/queue.ts';
import { type Origin, queueHash } from './hash-queue.ts';

/** Queues work that hashes passwords. */
export async function orBusy<T>(origin: Origin, work: () => Promise<T>): Promise<T> {
  try {
    return await queueHash(origin, work);
  } catch (cause) {
    if (!(cause instanceof QueueFull)) throw cause;
    throw busy(cause);
  }
}

export function busy(cause?: unknown): HttpError {
  return new HttpError(503, 'Too many people are logging in right now.', {
    cause,
    headers: { 'Retry-After': '5' },
  });
}
