/**
 * Puts the session of the request's cookie on the context, and carries out what the response makes
 * of it. The store is written before the response leaves: whoever follows the redirect of a log-in
 * finds the session there.
 *
 * An id that the store does not know is never adopted; its cookie is cleared. Two cookies of the
 * same name mean that somebody has planted one: neither is taken.
 */
import { type Awaitable, andThen } from '../awaitable.ts';
import type { Middleware } from '../context.ts';
import { readCookie, serializeCookie } from '../cookie.ts';
import { describeMiddleware } from '../describe-middleware.ts';
import type { Request } from '../request.ts';
import { type Response, withCookie } from '../response.ts';
import {
  createToken,
  isToken,
  type Session,
  type SessionContext,
  toSessionKey,
} from './session.ts';
import type { SessionStore } from './session-store.ts';

/** In milliseconds. `idle` is the longest pause between two requests, `absolute` the longest life. */
export interface Lifetime {
  readonly idle: number;
  readonly absolute: number;
}

export interface SessionOptions {
  readonly store: SessionStore;
  /** 12 hours and 14 days unless said otherwise. */
  readonly lifetime?: Lifetime;
  /** For "stay logged in": 14 and 90 days unless said otherwise. */
  readonly rememberedLifetime?: Lifetime;
  readonly now?: () => Date;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A session is noted as seen at most this often, in milliseconds: a page view need not write. */
const TOUCH_INTERVAL = 60_000;

/** Sessions by request, for what stands outside the chain that knows them: the log, an error page. */
const sessions = new WeakMap<Request, Session>();

/** The session that a request was found to have; null also when it has not been looked for. */
export function sessionOf(request: Request): Session | null {
  return sessions.get(request) ?? null;
}

export function loadSession(options: SessionOptions): Middleware<unknown, SessionContext> {
  const { store, now = () => new Date() } = options;
  const lifetime = options.lifetime ?? { idle: 12 * HOUR, absolute: 14 * DAY };
  const remembered = options.rememberedLifetime ?? { idle: 14 * DAY, absolute: 90 * DAY };
  const lifetimeOf = (session: { readonly remembered: boolean }) =>
    session.remembered ? remembered : lifetime;

  const isAlive = (session: Session): boolean => {
    const { idle, absolute } = lifetimeOf(session);
    const time = now().getTime();
    return time - session.seenAt.getTime() < idle && time - session.startedAt.getTime() < absolute;
  };

  const find = async (token: string): Promise<Session | null> => {
    const session = await store.find(toSessionKey(token));
    if (session === null) return null;
    if (!isAlive(session)) {
      await store.delete(session.key);
      return null;
    }
    return touch(session);
  };

  // Before the handler: once it has changed something, a store that fails must not hide its answer.
  const touch = async (session: Session): Promise<Session> => {
    const seenAt = now();
    if (seenAt.getTime() - session.seenAt.getTime() < TOUCH_INTERVAL) return session;
    await store.touch(session.key, seenAt);
    return { ...session, seenAt };
  };

  const finish = (
    request: Request,
    found: Session | null,
    sent: boolean,
    answer: Response,
  ): Awaitable<Response> => {
    if (answer.session === undefined) {
      return sent && found === null ? withCookie(answer, clearedCookie(request)) : answer;
    }
    const { session: change, ...response } = answer;
    return change.kind === 'start'
      ? start(request, found, change, response)
      : end(request, found, response);
  };

  const start = async (
    request: Request,
    found: Session | null,
    { user, remembered }: { readonly user: Session['user']; readonly remembered: boolean },
    response: Response,
  ): Promise<Response> => {
    const token = createToken();
    const time = now();
    const session = { key: toSessionKey(token), user, startedAt: time, seenAt: time, remembered };
    await store.create(session, found?.key ?? null);
    return withCookie(response, sessionCookie(request, token, lifetimeOf(session).absolute / 1000));
  };

  const end = async (
    request: Request,
    found: Session | null,
    response: Response,
  ): Promise<Response> => {
    if (found !== null) await store.delete(found.key);
    return withCookie(response, clearedCookie(request));
  };

  return describeMiddleware(
    function loadSession(context, next) {
      const { request } = context;
      const values = readCookie(request.headers['cookie'], cookieName(request));
      const [token] = values;
      if (token === undefined || values.length > 1 || !isToken(token)) {
        const answer = next({ ...context, session: null });
        return andThen(answer, (response) => finish(request, null, token !== undefined, response));
      }
      return find(token).then((session) => {
        if (session !== null) sessions.set(request, session);
        const answer = next({ ...context, session });
        return andThen(answer, (response) => finish(request, session, true, response));
      });
    },
    { needs: [], adds: ['session'] },
  );
}

/** `__Host-` makes the browser refuse the cookie from any other host or from plain http (RFC 6265bis). */
function cookieName(request: Request): string {
  return request.scheme === 'https' ? '__Host-sid' : 'sid';
}

function sessionCookie(request: Request, token: string, maxAge: number): string {
  return serializeCookie(cookieName(request), token, {
    maxAge,
    path: '/',
    secure: request.scheme === 'https',
    httpOnly: true,
    sameSite: 'Lax',
  });
}

function clearedCookie(request: Request): string {
  return sessionCookie(request, '', 0);
}
