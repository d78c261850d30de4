/**
 * The store is written before the response is sent, so that the request after a log-in's redirect finds the new
 * session. An id that the store does not know never becomes a session, so an attacker who plants an id cannot make a
 * user log in to it (session fixation). Its cookie is left alone, because it may be that of another site on this host.
 * If a request has two session cookies, one of them may be planted, so both are ignored.
 */

import type { Context, Middleware, RouteName } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
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
import type { Request } from '../http/request.ts';
import { type Response, withSession } from '../http/response.ts';
import { withAwaitedFlashes } from './awaited-flashes.ts';
import { isCarriedOut } from './draft.ts';
import { createFinder, type Found, NOTHING, TOUCH_INTERVAL } from './find-session.ts';
import { hasShownFlash, pathAfter, toAction, toText } from './flash.ts';
import { SESSION_COOKIE, sessionCookieSlot } from './host-cookie.ts';
import { LIFETIME, type Lifetime, REMEMBERED_LIFETIME } from './lifetime.ts';
import { type Saving, saveSession } from './save-session.ts';
import { type Session, type SessionContext, type SessionUser, sessionSlot } from './session.ts';
import { dropDraft } from './session-change.ts';
import type { SessionStore } from './session-store.ts';
import { withVisitorFlashes } from './visitor-flash.ts';

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
  const finding = { store, lifetimeOf, now, onStarted: options.onStarted };
  const { find, onStarted } = createFinder(finding);
  const saving = { ...finding, onStarted };

  return describeMiddleware(
    function loadSession(context, next) {
      const { request, route } = context;
      const isExcepted = route?.acceptsCrossOrigin === true || exceptions.has(route?.pattern ?? '');
      sessionCookieSlot.set(request, cookie);
      return andThen(isExcepted ? NOTHING : find(context), (found) => {
        // The cast is safe: this file changes only times and messages, which do not depend on User.
        const session = found.session as Session<User> | null;
        sessionSlot.set(request, session);
        const flash = { flash: toText(found.taken), flashAction: toAction(found.taken) };
        const answer = next({ ...context, session, ...flash });
        return andThen(answer, (response) => finish(saving, context, found, response));
      });
    },
    { needs: [], adds: ['session', 'flash', 'flashAction'] },
  );
}

/** Stores what the response changes. */
function finish(
  saving: Saving,
  { request, route }: Context,
  found: Found,
  response: Response,
): Awaitable<Response> {
  const answer = isCarriedOut(found.session?.draft ?? null, request, response)
    ? withSession(response, dropDraft)
    : response;
  if (route?.acceptsCrossOrigin === true) refuseStart(answer, route);
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
}

/** Another site could log a visitor in to an account of its own, who then types into it. */
function refuseStart({ session = [] }: Response, { pattern }: RouteName): void {
  if (!session.some(({ kind }) => kind === 'start')) return;
  throw new TypeError(
    `Cannot start a session in the answer of POST ${pattern}: its post comes from elsewhere, so it does not prove whose browser sent it. Redirect to a GET of this site, which checks a cookie of that browser and then starts the session.`,
  );
}
