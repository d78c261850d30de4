/** Too many passwords at once are a 503 that says when to come back, not an error of ours. */
import { HttpError } from 'seeother';
import { PasswordQueueFull } from '../models/password.ts';

export async function orBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof PasswordQueueFull)) throw cause;
    throw new HttpError(503, 'Too many people are logging in at this moment.', {
      cause,
      headers: { 'Retry-After': '5' },
    });
  }
}
