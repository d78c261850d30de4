/**
 * An unavailable database is transient, and not an error of the application. If the connection broke during
 * a commit, the data may have been saved, so the page must not say that nothing was.
 */
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { HttpError } from '../http/http-error.ts';
import { DatabaseUnavailable } from './database.ts';

/** Seconds: about as long as a server takes to restart. */
const RETRY_AFTER = '5';

/**
 * Answers 503 with `Retry-After` when the database cannot be used now. Stands inside `catchErrors`, whose
 * page says what happened.
 */
export const answerUnavailable: Middleware = describeMiddleware(
  function answerUnavailable(context, next) {
    try {
      const answer = next(context);
      return answer instanceof Promise ? answer.catch(refuse) : answer;
    } catch (cause) {
      return refuse(cause);
    }
  },
  { needs: [], adds: [] },
);

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
