/**
 * Finds the session of a request, in a store that is read only before the handler runs: once the handler has changed
 * data, an error of the store must not replace its response.
 */
import type { Context, RouteName } from '../chain/context.ts';
import { descriptionOf } from '../chain/describe-middleware.ts';
import { type Awaitable, andThen } from '../http/awaitable.ts';
import { isSafe, type Request } from '../http/request.ts';
import { createFlash, findFlashes, withShownFlashes } from './flash.ts';
import { endOf } from './lifetime.ts';
import { createLogInCheck } from './log-in-check.ts';
import type { Saving } from './save-session.ts';
import { type Flash, type Session, supersededSlot } from './session.ts';
import { readTokens } from './session-cookie.ts';
import { warnOfStore } from './store-warning.ts';
import { toTokenKey } from './token.ts';
import { NO_FLASHES, readVisitorFlashes, type VisitorFlashes } from './visitor-flash.ts';

/** Milliseconds between two writes of `seenAt`, so that most page views write nothing. */
export const TOUCH_INTERVAL = 60_000;

export interface Found {
  readonly session: Session | null;
  /** The messages for this page. */
  readonly taken: readonly Flash[];
  /** The flash cookie of a visitor. It is not read if there is a session. */
  readonly visitor: VisitorFlashes;
}

export const NOTHING: Found = { session: null, taken: [], visitor: NO_FLASHES };

/** No session, but the messages of a visitor; for one who has just logged in, the reason. */
function findVisitor(request: Request, reason: string | null = null): Found {
  const visitor = readVisitorFlashes(request);
  if (reason === null && visitor === NO_FLASHES) return NOTHING;
  const own = reason === null ? [] : [createFlash(null, reason)];
  return { session: null, visitor, taken: [...own, ...visitor.taken] };
}

/** `onStarted` is what the saving of a session calls, so that the next request of its browser is expected. */
export function createFinder({ store, lifetimeOf, now, onStarted }: Saving): {
  readonly find: (context: Context) => Awaitable<Found>;
  readonly onStarted: (request: Request, session: Session) => void;
} {
  // Computes the expiry again, so that a shorter lifetime applies to existing sessions too.
  const isAlive = (session: Session): boolean => {
    const end = Math.min(session.endsAt.getTime(), endOf(session, lifetimeOf(session)).getTime());
    return now().getTime() < end;
  };
  const logIns = createLogInCheck({ store, isAlive, now, onStarted });

  const touch = (session: Session): Session => {
    const seenAt = now();
    if (session.superseded) return session;
    if (seenAt.getTime() - session.seenAt.getTime() < TOUCH_INTERVAL) return session;
    return { ...session, seenAt, endsAt: endOf({ ...session, seenAt }, lifetimeOf(session)) };
  };

  const find = (tokens: readonly string[], at: number, context: Context): Awaitable<Found> => {
    const { request, route } = context;
    const token = tokens[at];
    if (token === undefined)
      return andThen(logIns.findFlaw(request), (reason) => findVisitor(request, reason));
    return andThen(store.find(toTokenKey(token)), (session): Awaitable<Found> => {
      // An expired session keeps its row and its cookie: this server's clock may be ahead, and be corrected later.
      if (session === null || !isAlive(session))
        return at + 1 === tokens.length ? findVisitor(request) : find(tokens, at + 1, context);
      // The old id of a renewed session may only read, or send a form to a route with `onlyOnce`, which accepts only
      // a repeated form from it.
      if (session.superseded && !isSafe(request) && !countsOnce(route)) {
        supersededSlot.set(request, true);
        return findVisitor(request);
      }
      const taken = findFlashes(session, request);
      logIns.arrived(request);
      const found = { session, taken, visitor: NO_FLASHES };
      return touch(session) === session ? found : saveTouch(found, request);
    });
  };

  /** Updates `seenAt` in the store. */
  const saveTouch = async (
    found: Found & { readonly session: Session },
    request: Request,
  ): Promise<Found> => {
    try {
      const session = await store.update(found.session.key, (current) =>
        withShownFlashes(touch(current), request),
      );
      return session === null ? findVisitor(request) : { ...found, session };
    } catch (error) {
      // The session itself is valid, so continue without the update.
      warnOfStore(error);
      return found;
    }
  };

  return {
    find: (context) => find(readTokens(context.request), 0, context),
    onStarted: logIns.onStarted,
  };
}

/** Whether the route has `onlyOnce`. */
function countsOnce(route: RouteName | null): boolean {
  return route?.middleware?.some((one) => descriptionOf(one)?.countsOnce === true) ?? false;
}
