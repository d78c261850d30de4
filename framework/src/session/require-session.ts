/**
 * Protects a route. Without a session, a GET is redirected to the log-in form and returns to the
 * page afterwards. A POST is refused with 401 instead: a redirect would discard what was typed.
 */

import { answersJson } from '../chain/answers-json.ts';
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import type { Advice } from '../http/advice.ts';
import { checkOptions, needed, type OptionKinds, TEXT } from '../http/check-options.ts';
import { localPath, withPair } from '../http/href.ts';
import { HttpError } from '../http/http-error.ts';
import { isSafe } from '../http/request.ts';
import { seeOther } from '../http/response.ts';
import { Slot } from '../http/slot.ts';
import type { Language } from '../language/language.ts';
import type { LoggedIn, SessionContext } from './session.ts';

/** Where the page of a refused form leads, before the form is filled in. */
export interface LogInPlace {
  /** That of the log-in form, or of what else has to be done first. */
  readonly path: string;
  /** The words of the link; null for those of a log-in. */
  readonly label: ((language: Language) => string) | null;
}

export const logInSlot: Slot<LogInPlace> = new Slot({ path: '/login', label: null });

/** RFC 9110 section 15.5.2 requires this header in a 401. */
export const LOG_IN_CHALLENGE = { 'WWW-Authenticate': 'Cookie realm="account"' } as const;

/** The error for a form that was sent without a session. */
export function refuseWithoutSession(): HttpError {
  return new HttpError(401, ({ words }) => words.notLoggedIn, {
    headers: LOG_IN_CHALLENGE,
  });
}

interface RequireOptions {
  readonly logInPath: string;
}

const REQUIRE_KINDS = {
  logInPath: needed(TEXT, "'/log-in'"),
} satisfies OptionKinds<RequireOptions>;

/**
 * Also a function without parameters: only so can the compiler say what is wrong with `requireSession()`. It stands
 * first, because types are inferred from the last.
 */
export type RequireSession =
  (() => Advice<'Pass requireSession itself, without (): it is the middleware'>) &
    Middleware<Pick<SessionContext, 'session'>, LoggedIn>;

/** For an application whose log-in form has another path than `/login`. */
export function createRequireSession(options: RequireOptions): RequireSession {
  checkOptions('createRequireSession', options, REQUIRE_KINDS);
  const middleware: Middleware<Pick<SessionContext, 'session'>, LoggedIn> = describeMiddleware(
    function requireSession(context, next) {
      if (context === undefined) throw notCalled();
      const { request, session } = context;
      logInSlot.set(request, { path: options.logInPath, label: null });
      // Not `!== null`: in JavaScript loadSession may be missing, and undefined must not pass
      // either.
      if (session) return next({ ...context, session });
      if (session === undefined) throw withoutSession();
      // A program cannot fill in the form.
      if (isSafe(request) && !answersJson(context)) {
        return seeOther(localPath(withPair(options.logInPath, 'next', request.target)));
      }
      throw refuseWithoutSession();
    },
    { needs: ['session'], adds: ['session'] },
  );
  return middleware as RequireSession;
}

function notCalled(): TypeError {
  return new TypeError(
    'Cannot call requireSession without a context: it is the middleware itself. Pass it without parentheses, as in .get("/account", requireSession, show).',
  );
}

function withoutSession(): TypeError {
  return new TypeError(
    'Cannot require a session: no middleware has put one on the context. Put loadSession({ store }) before requireSession.',
  );
}

/**
 * Lets through requests with a session, whose type is then never null. Without one, a GET is redirected to
 * `/login?next=…`, and a POST gets a 401.
 */
export const requireSession: RequireSession = createRequireSession({
  logInPath: '/login',
});
