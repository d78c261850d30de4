/**
 * The store is written before the response is sent, so that the request after a log-in's redirect finds the new
 * session. An id that the store does not know never becomes a session, so an attacker who plants an id cannot make a
 * user log in to it (session fixation). Its cookie is left alone, because it may be that of another site on this host.
 * If a request has two session cookies, one of them may be planted, so both are ignored.
 */

import type { Context, Middleware, RouteName } from '../chain/context.ts';
import { describeMiddleware, descriptionOf } from '../chain/describe-middleware.ts';
import { type Awaitable, andThen } from '../http/awaitable.ts';
import {
  checkOptions,
  FUNCTION,
  LIST,
  needed,
  OBJECT,
  type OptionKind,
  type OptionKinds,
} from '../http/check-options.ts';
import { isSafe, type Request } from '../http/request.ts';
import { type Response, withSession } from '../http/response.ts';
import { withAwaitedFlashes } from './awaited-flashes.ts';
import { isCarriedOut } from './draft.ts';
import {
  createFlash,
  findFlashes,
  hasShownFlash,
  pathAfter,
  toAction,
  toText,
  withShownFlashes,
} from './flash.ts';
import { SESSION_COOKIE, sessionCookieSlot } from './host-cookie.ts';
import { endOf, LIFETIME, type Lifetime, REMEMBERED_LIFETIME } from './lifetime.ts';
import { createLogInCheck } from './log-in-check.ts';
import { saveSession } from './save-session.ts';
import {
  type Flash,
  type Session,
  type SessionContext,
  type SessionUser,
  sessionSlot,
} from './session.ts';
import { dropDraft } from './session-change.ts';
import { readTokens } from './session-cookie.ts';
import type { SessionStore } from './session-store.ts';
import { warnOfStore } from './store-warning.ts';
import { toTokenKey } from './token.ts';
import {
  NO_FLASHES,
  readVisitorFlashes,
  type VisitorFlashes,
  withVisitorFlashes,
} from './visitor-flash.ts';

export interface SessionOptions<User extends SessionUser = SessionUser> {
  readonly store: SessionStore<User>;
  /** 12 hours idle, 14 days in all by default. */
  readonly lifetime?: Lifetime;
  /** For "stay logged in": 14 days idle, 90 days in all by default. */
  readonly rememberedLifetime?: Lifetime;
  readonly now?: () => Date;
  /** `sid` by default, over https `__Host-sid`. Two sites on one host with one name share the messages of visitors. */
  readonly cookie?: string;
  /** Patterns of routes without a session. Their cookie is ignored, and the store is not read. */
  readonly except?: readonly string[];
  /** Called for each log-in after the store has saved its session. Not called if the store has refused it. */
  readonly onStarted?: (request: Request, session: Session) => void;
}

/** Milliseconds between two writes of `seenAt`, so that most page views write nothing. */
const TOUCH_INTERVAL = 60_000;

/** A shorter one would end while its user is at work, because `seenAt` is not written more often. */
const LIFETIME_KIND: OptionKind = {
  noun: 'milliseconds, at least a minute each',
  example: '{ idle: 12 * 3_600_000, absolute: 14 * 86_400_000 }',
  accepts: (value) => {
    const { idle, absolute } = (value ?? {}) as Partial<Record<keyof Lifetime, unknown>>;
    return [idle, absolute].every((one) => typeof one === 'number' && one >= TOUCH_INTERVAL);
  },
};

const SESSION_KINDS = {
  store: needed(OBJECT),
  lifetime: LIFETIME_KIND,
  rememberedLifetime: LIFETIME_KIND,
  now: FUNCTION,
  cookie: SESSION_COOKIE,
  except: LIST,
  onStarted: FUNCTION,
} satisfies OptionKinds<SessionOptions>;

interface Found {
  readonly session: Session | null;
  /** The messages for this page. */
  readonly taken: readonly Flash[];
  /** The flash cookie of a visitor. It is not read if there is a session. */
  readonly visitor: VisitorFlashes;
}

const NOTHING: Found = { session: null, taken: [], visitor: NO_FLASHES };

/** No session, and for a visitor who has just logged in the reason. */
function toFound(message: string | null): Found {
  return message === null ? NOTHING : { ...NOTHING, taken: [createFlash(null, message)] };
}

/**
 * Finds the session of the request, puts it on the context, and stores what the response changes in it. The
 * session on the context has the type `User` of the store.
 */
export function loadSession<User extends SessionUser = SessionUser>(
  options: SessionOptions<User>,
): Middleware<unknown, SessionContext<User>> {
  if (options?.store === undefined) {
    throw new TypeError(
      'Cannot load sessions without a store. Pass one: loadSession({ store: createMemoryStores().sessions }), or that of your database.',
    );
  }
  checkOptions('loadSession', options, SESSION_KINDS);
  const { now = () => new Date(), cookie = 'sid' } = options;
  const store: SessionStore = options.store;
  const { lifetime = LIFETIME, rememberedLifetime = REMEMBERED_LIFETIME } = options;
  const lifetimeOf = ({ remembered }: { readonly remembered: boolean }) =>
    remembered ? rememberedLifetime : lifetime;
  const exceptions = new Set(options.except);

  // Computes the expiry again, so that a shorter lifetime applies to existing sessions too.
  const isAlive = (session: Session): boolean => {
    const end = Math.min(session.endsAt.getTime(), endOf(session, lifetimeOf(session)).getTime());
    return now().getTime() < end;
  };
  const logIns = createLogInCheck({ store, isAlive, now, onStarted: options.onStarted });
  const saving = { store, lifetimeOf, now, onStarted: logIns.onStarted };

  const touch = (session: Session): Session => {
    const seenAt = now();
    if (session.superseded) return session;
    if (seenAt.getTime() - session.seenAt.getTime() < TOUCH_INTERVAL) return session;
    return { ...session, seenAt, endsAt: endOf({ ...session, seenAt }, lifetimeOf(session)) };
  };

  // The store is read only before the handler runs: once the handler has changed data, an error of the store must
  // not replace its response.
  const find = ([token, ...others]: readonly string[], context: Context): Awaitable<Found> => {
    const { request, route } = context;
    if (token === undefined) return andThen(logIns.findFlaw(request), toFound);
    return andThen(store.find(toTokenKey(token)), (session): Awaitable<Found> => {
      // An expired session keeps its row and its cookie: this server's clock may be ahead, and be corrected later.
      if (session === null || !isAlive(session))
        return others.length === 0 ? NOTHING : find(others, context);
      // The old id of a renewed session may only read, or send a form to a route with `onlyOnce`, which accepts only
      // a repeated form from it.
      if (session.superseded && !isSafe(request) && !countsOnce(route)) return NOTHING;
      const taken = findFlashes(session, request);
      logIns.arrived(request);
      const found = { session, taken, visitor: NO_FLASHES };
      return touch(session) === session ? found : saveTouch(found, request);
    });
  };

  const findVisitor = (found: Found, request: Request): Found => {
    const visitor = readVisitorFlashes(request);
    return visitor === NO_FLASHES
      ? found
      : { ...found, visitor, taken: [...found.taken, ...visitor.taken] };
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
      return session === null ? NOTHING : { ...found, session };
    } catch (error) {
      // The session itself is valid, so continue without the update.
      warnOfStore(error);
      return found;
    }
  };

  const finish = (request: Request, found: Found, response: Response) => {
    const answer = isCarriedOut(found.session?.draft ?? null, request, response)
      ? withSession(response, dropDraft)
      : response;
    const { session, visitor } = found;
    const isShown = hasShownFlash(answer);
    const shown = isShown && session !== null ? found.taken : [];
    const movedTo = pathAfter(request, answer, found.taken);
    if (answer.session === undefined && shown.length === 0 && movedTo === null)
      return withVisitorFlashes(answer, request, visitor, { isShown, movedTo, added: [] });
    const visit = { request, found: session, shown, movedTo };
    return andThen(saveSession(saving, visit, answer), ({ response, unsaved, awaited }) => {
      const stored = session?.flashes ?? [];
      const marked = withAwaitedFlashes(response, request, { stored, shown, added: awaited });
      return withVisitorFlashes(marked, request, visitor, { isShown, movedTo, added: unsaved });
    });
  };

  return describeMiddleware(
    function loadSession(context, next) {
      const { request, route } = context;
      const isExcepted = exceptions.has(route?.pattern ?? '');
      sessionCookieSlot.set(request, cookie);
      return andThen(isExcepted ? NOTHING : find(readTokens(request), context), (known) => {
        const found = known.session === null && !isExcepted ? findVisitor(known, request) : known;
        // The cast is safe: this file changes only times and messages, which do not depend on User.
        const session = found.session as Session<User> | null;
        sessionSlot.set(request, session);
        const flash = { flash: toText(found.taken), flashAction: toAction(found.taken) };
        const answer = next({ ...context, session, ...flash });
        return andThen(answer, (response) => finish(request, found, response));
      });
    },
    { needs: [], adds: ['session', 'flash', 'flashAction'] },
  );
}

/** Whether the route has `onlyOnce`. */
function countsOnce(route: RouteName | null): boolean {
  return route?.middleware?.some((one) => descriptionOf(one)?.countsOnce === true) ?? false;
}
