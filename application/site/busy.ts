/** Too many passwords at once are a 503 that says when to come back, not an error of ours. */
import { HttpError } from 'seeother';
import { HashQueueFull, type Origin, queueHash } from '../accounts/hash-queue.ts';

/** Runs work that hashes passwords when it is its turn. */
export async function orBusy<T>(origin: Origin, work: () => Promise<T>): Promise<T> {
  try {
    return await queueHash(origin, work);
  } catch (cause) {
    if (!(cause instanceof HashQueueFull)) throw cause;
    throw busy(cause);
  }
}

export function busy(cause?: unknown): HttpError {
  return new HttpError(503, 'Too many people are logging in right now.', {
    cause,
    headers: { 'Retry-After': '5' },
  });
}
