/**
 * Puts the session of the request's cookie on the context, with the message that waits for this
 * page, and carries out what the response makes of it. The store is written before the response
 * leaves: whoever follows the redirect of a log-in finds the session there.
 *
 * An id that the store does not know is never adopted; its cookie is cleared. Two cookies of the
 * same name mean that somebody has planted one: neither is taken.
 */

import type { Context, Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { countsOnce } from '../form/only-once.ts';
import { type Awaitable, andThen } from '../http/awaitable.ts';
import { isSafe, type Request } from '../http/request.ts';
import { type Response, withSession } from '../http/response.ts';
import { isCarriedOut } from './draft.ts';
import {
  canShowFlash,
  hasFlashFor,
  hasShownFlash,
  takeFlashes,
  toText,
  withReturnedFlashes,
} from './flash.ts';
import { endOf, LIFETIME, type Lifetime, REMEMBERED_LIFETIME } from './lifetime.ts';
import { saveSession } from './save-session.ts';
import {
  type Flash,
  isToken,
  type Session,
  type SessionContext,
  type SessionUser,
  toSessionKey,
} from './session.ts';
import { dropDraft } from './session-change.ts';
import { readSessionCookie } from './session-cookie.ts';
import type { SessionStore } from './session-store.ts';
import { warnOfStore } from './store-warning.ts';

export interface SessionOptions<User extends SessionUser = SessionUser, Data = unknown> {
  readonly store: SessionStore<User, Data>;
  /** 12 hours and 14 days unless said otherwise. */
  readonly lifetime?: Lifetime;
  /** For "stay logged in": 14 and 90 days unless said otherwise. */
  readonly rememberedLifetime?: Lifetime;
  readonly now?: () => Date;
  /** Patterns of routes without a session: the store is not asked for them, whatever the cookie says. */
  readonly except?: readonly string[];
}

/** A session is noted as seen at most this often, in milliseconds: a page view need not write. */
const TOUCH_INTERVAL = 60_000;

interface Found {
  readonly session: Session | null;
  /** The cookie leads to nothing, so it is cleared. */
  readonly isStale: boolean;
  /** The messages for this page, which are in the store no more. */
  readonly taken: readonly Flash[];
}

const NOTHING: Found = { session: null, isStale: false, taken: [] };
const UNKNOWN: Found = { ...NOTHING, isStale: true };

/** The types of the store, `User` and `Data`, are those of the session on the context. */
export function loadSession<User extends SessionUser = SessionUser, Data = unknown>(
  options: SessionOptions<User, Data>,
): Middleware<unknown, SessionContext<User, Data>> {
  const { now = () => new Date() } = options;
  const store: SessionStore = options.store;
  const { lifetime = LIFETIME, rememberedLifetime = REMEMBERED_LIFETIME } = options;
  const lifetimeOf = ({ remembered }: { readonly remembered: boolean }) =>
    remembered ? rememberedLifetime : lifetime;
  const saving = { store, lifetimeOf, now };
  const exceptions = new Set(options.except);

  // The lifetimes count too: shorter ones hold for the sessions that are there already.
  const isAlive = (session: Session): boolean => {
    const end = Math.min(session.endsAt.getTime(), endOf(session, lifetimeOf(session)).getTime());
    return now().getTime() < end;
  };

  const touch = (session: Session): Session => {
    const seenAt = now();
    if (session.superseded) return session;
    if (seenAt.getTime() - session.seenAt.getTime() < TOUCH_INTERVAL) return session;
    return { ...session, seenAt, endsAt: endOf({ ...session, seenAt }, lifetimeOf(session)) };
  };

  // All before the handler: once it has changed something, a store that fails must not hide its answer.
  const find = (token: string, { request, route }: Context): Awaitable<Found> =>
    andThen(store.find(toSessionKey(token)), (session) => {
      if (session === null) return UNKNOWN;
      // Its row and its cookie stay: a clock that is ahead may be set right again.
      if (!isAlive(session)) return NOTHING;
      // A superseded session reads. `onlyOnce` finds out whether its form was carried out before.
      const isUsable = isSafe(request) || (route !== null && countsOnce(route));
      if (session.superseded && !isUsable) return NOTHING;
      const seen = touch(session);
      return seen === session && !hasFlashFor(session, request)
        ? { session, isStale: false, taken: [] }
        : visit(session, request);
    });

  /** Notes the visit, and takes out the messages for this page. */
  const visit = async (session: Session, request: Request): Promise<Found> => {
    let taken: readonly Flash[] = [];
    const change = (current: Session): Session => {
      const seen = touch(current);
      if (!canShowFlash(request)) return seen;
      const { rest, ...both } = takeFlashes(seen, request.path);
      taken = both.taken;
      return rest;
    };
    try {
      const current = await store.update(session.key, change);
      return current === null ? UNKNOWN : { session: current, isStale: false, taken };
    } catch (error) {
      // It was found, and is alive: the visit is not noted, and a message waits on.
      warnOfStore(error);
      return { session, isStale: false, taken: [] };
    }
  };

  const finish = (request: Request, found: Found, response: Response) => {
    const answer = isCarriedOut(found.session?.draft ?? null, request, response)
      ? withSession(response, dropDraft)
      : response;
    const returned = hasShownFlash(answer) ? [] : found.taken;
    const { session, isStale } = found;
    if (answer.session === undefined && returned.length === 0 && !isStale) return answer;
    return saveSession(saving, { request, found: session, stale: isStale, returned }, answer);
  };

  const run = ({ session, taken }: Found, rest: () => Awaitable<Response>): Awaitable<Response> =>
    session === null || taken.length === 0 ? rest() : runWithMessages(session, taken, rest);

  /** When the rest of the chain throws, nobody has seen the messages. */
  const runWithMessages = async (
    session: Session,
    taken: readonly Flash[],
    rest: () => Awaitable<Response>,
  ): Promise<Response> => {
    try {
      return await rest();
    } catch (error) {
      // The error of the handler is the one to report, whatever the store says now.
      await putBack(session, taken).catch(() => {});
      throw error;
    }
  };
  const putBack = async ({ key }: Session, taken: readonly Flash[]): Promise<void> => {
    await store.update(key, (current) => withReturnedFlashes(current, taken));
  };

  return describeMiddleware(
    function loadSession(context, next) {
      const { request, route } = context;
      const values = exceptions.has(route?.pattern ?? '') ? [] : readSessionCookie(request);
      const [token] = values;
      if (token === undefined || values.length > 1 || !isToken(token)) {
        const found = token === undefined ? NOTHING : UNKNOWN;
        const answer = next({ ...context, session: null, flash: null });
        return andThen(answer, (response) => finish(request, found, response));
      }
      return andThen(find(token, context), (found) => {
        const { taken } = found;
        // As the store has given it; what changes here, its times and messages, is of no other type.
        const session = found.session as Session<User, Data> | null;
        request.state.session = session;
        const answer = run(found, () => next({ ...context, session, flash: toText(taken) }));
        return andThen(answer, (response) => finish(request, found, response));
      });
    },
    { needs: [], adds: ['session', 'flash'] },
  );
}
