/**
 * An unavailable database is transient, and not an error of the application. If the connection broke during
 * a commit, the data may have been saved, so the page must not say that nothing was. The cause goes to the log and,
 * if the disk is the cause, to administrators.
 */
import type { Context, Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { HttpError } from '../http/http-error.ts';
import { isSafe } from '../http/request.ts';
import type { Words } from '../language/words.ts';
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
      return answer instanceof Promise
        ? answer.catch((error) => refuseUntilBack(error, context))
        : answer;
    } catch (error) {
      return refuseUntilBack(error, context);
    }
  },
  { needs: [], adds: [] },
);

function refuseUntilBack(cause: unknown, { request }: Context): never {
  if (!(cause instanceof DatabaseUnavailable)) throw cause;
  const { outcome, disk, message: reason } = cause;
  throw new HttpError(503, ({ words }) => explain(words, cause, isSafe(request)), {
    cause,
    mayBeSaved: outcome === 'unknown',
    headers: { 'Retry-After': RETRY_AFTER },
    // Other errors may name an address.
    ...(disk === null ? {} : { reason }),
  });
}

/** The disk is the reason why a form was not saved; a page that only reads needs the database. */
function explain(words: Words, { outcome, disk }: DatabaseUnavailable, isPage: boolean): string {
  const isUnknown = outcome === 'unknown';
  if (disk === null || isPage) return isUnknown ? words.databaseLost : words.databaseAway;
  if (disk === 'full') return words.diskFull;
  return isUnknown ? words.diskFailed : words.diskBroken;
}
