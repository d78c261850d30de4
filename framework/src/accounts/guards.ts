/** What stands before the routes of users: their role, how long ago they logged in, and what they have to do first. */
import type { Context, Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import type { Awaitable } from '../http/awaitable.ts';
import { localPath, withPair } from '../http/href.ts';
import { HttpError } from '../http/http-error.ts';
import { isSafe, type Request } from '../http/request.ts';
import { type Response, seeOther } from '../http/response.ts';
import type { AccountText } from '../language/account-texts.ts';
import type { Language } from '../language/language.ts';
import { LOG_IN_CHALLENGE, logInSlot, requireSession } from '../session/require-session.ts';
import type { LoggedIn, Session, SessionContext } from '../session/session.ts';
import type { AccountUser, Duty } from './account.ts';
import { sayWith, text } from './say.ts';

const RECENT = text('To do this, you must have logged in within the last {minutes} minutes.');

export type Needs<Role extends string, Extra = unknown> = Pick<
  SessionContext<AccountUser<Role> & Extra>,
  'session'
>;
export type Guard<Role extends string = string, Extra = unknown> = Middleware<
  Needs<Role, Extra>,
  LoggedIn<AccountUser<Role> & Extra>
>;

/** The site's own answer to a user whose role is too low. */
type Refuse<Role extends string, Extra> = (
  context: Context & Needs<Role, Extra>,
  needed: Role,
) => Awaitable<Response>;

/** Lets through users with the role, or with one that stands behind it in `roles`: 403 for others. */
export function createRequireRole<Role extends string, Extra>(
  roles: readonly Role[],
  needed: Role,
  refuse: Refuse<Role, Extra> = () => {
    throw new HttpError(403, (language) => sayWith(language)('Your account may not do this.'));
  },
): Guard<Role, Extra> {
  const least = roles.indexOf(needed);
  if (least === -1) {
    throw new TypeError(
      `Cannot require the role ${JSON.stringify(needed)}: the accounts have ${roles.join(', ')}.`,
    );
  }
  return describeMiddleware(
    function requireRole(context, next) {
      const { session } = context;
      if (session && roles.indexOf(session.user.role) < least) return refuse(context, needed);
      return requireSession(context, next as never);
    } as Guard<Role, Extra>,
    { needs: ['session'], adds: ['session'] },
  );
}

/**
 * Lets through users who have logged in within so many milliseconds, with all factors that they have: a browser that is
 * trusted instead of the second one is not enough. Others log in again: a page leads there and back,
 * and a form is given back as without a session, filled in after the log-in.
 */
export function createRequireRecent<Role extends string, Extra>(
  within: number,
  now: () => Date,
  isTrusted: (session: Session<AccountUser<Role> & Extra>) => Promise<boolean>,
): Guard<Role, Extra> {
  const minutes = String(within / 60_000);
  const refuse = (request: Request) => {
    if (isSafe(request))
      return seeOther(localPath(withPair('/login/again', 'next', request.target)));
    logInSlot.set(request, { path: '/login/again', label: null });
    throw new HttpError(401, (language) => sayWith(language)(RECENT, { minutes }), {
      headers: LOG_IN_CHALLENGE,
    });
  };
  return describeMiddleware(
    function requireRecent(context, next) {
      const { request, session } = context;
      if (!session) return requireSession(context, next as never);
      // A clock that was set back makes no log-in recent for longer.
      const isRecent = Math.abs(now().getTime() - session.startedAt.getTime()) < within;
      if (!isRecent) return refuse(request);
      if (!session.user.hasSecondFactor) return next({ ...context, session });
      return isTrusted(session).then((trusted) =>
        trusted ? refuse(request) : next({ ...context, session }),
      );
    } as Guard<Role, Extra>,
    { needs: ['session'], adds: ['session'] },
  );
}

/** The guard for forms alone: a page with one is shown without it. */
export function ofForms(guard: Guard): Guard {
  return describeMiddleware(
    function requireOfForms(context, next) {
      return isSafe(context.request)
        ? requireSession(context, next as never)
        : guard(context, next);
    } as Guard,
    { needs: ['session'], adds: ['session'] },
  );
}

/**
 * Global: a visitor opens the routes of `open` and `own` alone, those of the accounts. Any other needs a session, also
 * one that is added later, before its own middleware: so a visitor gets no 304 of it, and no 404 of what is not there.
 */
export function createRequireUser(
  open: readonly string[],
  own: ReadonlySet<object>,
): Middleware<Needs<string>> {
  return describeMiddleware(
    function requireUser(context, next) {
      const { route } = context;
      // An unknown address is a 404 for everybody: it says only which routes there are.
      const isOpen = route === null || own.has(route) || open.includes(route.pattern);
      return isOpen ? next(context) : requireSession(context, next as never);
    },
    { needs: ['session'], adds: [] },
  );
}

/** What is said of each duty, and where it is done. */
export const DUTIES: Readonly<
  Record<Duty, { readonly why: AccountText; readonly label: AccountText }>
> = {
  'choose a password': {
    why: text('An administrator knows your password. Choose a new one first.'),
    label: text('Choose a new password'),
  },
  'add a second factor': {
    why: text('Your role needs a second factor. Add one first.'),
    label: text('Add a second factor'),
  },
};

/** What a user with a duty may still open. */
const ALLOWED =
  /^\/(?:login(?:\/.*)?|logout|account\/(?:password|second-factor|passkeys)(?:\/.*)?)$/;

/**
 * Global: whoever has to do something first can do nothing else, and is led to its page and back. A form is given back
 * as without a session, filled in after the duty. `factorPath` is where a second factor is added.
 */
export function createRequireDuties(
  factorPath: string,
  open: readonly string[],
): Middleware<Needs<string>> {
  const paths: Readonly<Record<Duty, string>> = {
    'choose a password': '/account/password',
    'add a second factor': factorPath,
  };
  return describeMiddleware(
    function requireDuties(context, next) {
      const { request, session, route } = context;
      const duty = session?.user.must;
      const mayOpen = route === null || ALLOWED.test(route.pattern) || open.includes(route.pattern);
      if (duty === undefined || mayOpen) return next(context);
      if (isSafe(request))
        return seeOther(localPath(withPair(paths[duty], 'next', request.target)));
      const { label, why } = DUTIES[duty];
      const say = (language: Language) => sayWith(language)(label);
      logInSlot.set(request, { path: paths[duty], label: say });
      throw new HttpError(403, (language) => sayWith(language)(why));
    },
    { needs: ['session'], adds: [] },
  );
}
