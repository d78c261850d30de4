/**
 * A database that is away, locked, full or too slow is no error of ours and no one else's: it passes.
 * Whoever asked gets a 503 that says when to come back, with what was typed.
 *
 * The hard case: a connection that broke while it saved. Then the page must not say that nothing was.
 */
import { HttpError, type Middleware } from 'seeother';
import { DatabaseUnavailable } from '../database/database-unavailable.ts';

/** Seconds: a server that restarts needs about as long. */
const RETRY_AFTER = '5';

export const answerUnavailable: Middleware = function answerUnavailable(context, next) {
  try {
    const answer = next(context);
    return answer instanceof Promise ? answer.catch(refuse) : answer;
  } catch (cause) {
    return refuse(cause);
  }
};

function refuse(cause: unknown): never {
  if (!(cause instanceof DatabaseUnavailable)) throw cause;
  const mayBeSaved = cause.outcome === 'unknown';
  throw new HttpError(
    503,
    mayBeSaved
      ? 'We lost the connection to the database while saving.'
      : 'We can’t reach the database right now.',
    { cause, mayBeSaved, headers: { 'Retry-After': RETRY_AFTER } },
  );
}
