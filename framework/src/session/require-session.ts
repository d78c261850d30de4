/**
 * Protects a route: with a session the request goes on; without one a page leads to the log-in form
 * and back, and a form is refused with 401, so that what was typed is not thrown away by a redirect.
 */
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { localPath } from '../http/href.ts';
import { HttpError } from '../http/http-error.ts';
import { isSafe } from '../http/request.ts';
import { seeOther } from '../http/response.ts';
import type { LoggedIn, SessionContext } from './session.ts';

/** RFC 9110 section 15.5.2 demands a challenge with a 401. */
export const LOG_IN_CHALLENGE = { 'WWW-Authenticate': 'Cookie realm="account"' } as const;

/** The refusal of a form that needs a session. */
export function refuseWithoutSession(): HttpError {
  return new HttpError(401, 'You are not logged in, or your session has ended.', {
    headers: LOG_IN_CHALLENGE,
  });
}

/** For a log-in form at another path than `/login`. */
export function createRequireSession(options: {
  readonly logInPath: string;
}): Middleware<Pick<SessionContext, 'session'>, LoggedIn> {
  return describeMiddleware(
    function requireSession(context, next) {
      const { request, session } = context;
      // Not `!== null`: where types are not checked and loadSession is missing, the route stays shut.
      if (session) return next({ ...context, session });
      if (isSafe(request)) {
        return seeOther(
          localPath(`${options.logInPath}?next=${encodeURIComponent(request.target)}`),
        );
      }
      throw refuseWithoutSession();
    },
    { needs: ['session'], adds: ['session'] },
  );
}

export const requireSession: Middleware<
  Pick<SessionContext, 'session'>,
  LoggedIn
> = createRequireSession({
  logInPath: '/login',
});
