/**
 * Tells a browser whose log-in was in vain. One that keeps no cookie asks for the next page without one, and would see
 * the page of a visitor, for ever and without a reason. Nothing in that request tells it from a visitor's. So this
 * process remembers a log-in until its session is used, for a few seconds: by address, browser, and the page that the
 * form stood on, which is also the `Referer` of the page after it. A browser without `Referer`, and one whose next
 * request reaches another process, is told nothing.
 */

import { type Awaitable, andThen } from '../http/awaitable.ts';
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import { canShowFlash } from './flash.ts';
import { fullName, readHostCookie } from './host-cookie.ts';
import type { Session } from './session.ts';
import { tokensIn } from './session-cookie.ts';
import type { SessionStore } from './session-store.ts';
import { toTokenKey } from './token.ts';

/** Milliseconds. The redirect leads to the page at once. */
const LIMIT = 15_000;
/** A further log-in removes the oldest. */
const MAX_LOG_INS = 1_000;

export interface LogInCheck {
  /** A log-in has set a cookie. */
  readonly onStarted: (request: Request, session: Session) => void;
  /** A request has brought the cookie of a session. */
  readonly arrived: (request: Request) => void;
  /** Why the visitor is not logged in, who sends no usable cookie; null for one who has not logged in. */
  readonly findFlaw: (request: Request) => Awaitable<string | null>;
}

interface LogInCheckOptions {
  readonly store: Pick<SessionStore, 'find'>;
  readonly isAlive: (session: Session) => boolean;
  readonly now: () => Date;
  readonly onStarted: ((request: Request, session: Session) => void) | undefined;
}

export function createLogInCheck({
  store,
  isAlive,
  now,
  onStarted,
}: LogInCheckOptions): LogInCheck {
  const logIns = new Map<string, number>();

  function isMissing(request: Request): boolean {
    if (logIns.size === 0) return false;
    const age = now().getTime() - (logIns.get(toPage(request) ?? '') ?? 0);
    return age >= 0 && age < LIMIT;
  }

  return {
    onStarted(request, session) {
      const page = toPage(request);
      const [oldest] = logIns.keys();
      if (logIns.size >= MAX_LOG_INS && oldest !== undefined) logIns.delete(oldest);
      if (page !== null) logIns.delete(page);
      if (page !== null) logIns.set(page, now().getTime());
      onStarted?.(request, session);
    },
    arrived(request) {
      if (logIns.size > 0) logIns.delete(toPage(request) ?? '');
    },
    findFlaw(request) {
      if (!canShowFlash(request)) return null;
      const { words } = languageOf(request);
      const values = readHostCookie(request, 'session');
      if (values.length === 0) return isMissing(request) ? words.cookieNotKept : null;
      if (values.length === 1) return null;
      const keys = [...new Set(values.flatMap(tokensIn))].slice(0, 4).map(toTokenKey);
      const sessions = Promise.all(keys.map((key) => store.find(key)));
      return andThen(sessions, (found) =>
        found.some((one) => one !== null && isAlive(one))
          ? words.cookieTwice(fullName(request, 'session'))
          : null,
      );
    },
  };
}

/** Null without a `Referer`. */
function toPage({ address, headers }: Request): string | null {
  const { referer } = headers;
  return referer === undefined
    ? null
    : JSON.stringify([address, headers['user-agent'] ?? '', referer]);
}
