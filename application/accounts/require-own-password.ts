/**
 * The person who reset a password knows it. So a user who logs in with it must choose a new one
 * first: a GET is redirected to that form, and any other form is refused.
 */
import {
  HttpError,
  isSafe,
  type Middleware,
  type Session,
  type SessionContext,
  seeOther,
} from 'seeother';
import { action, href } from '../links.ts';
import type { SessionUser } from '../site/session-user.ts';

const ALLOWED: readonly string[] = [
  href('/help'),
  href('/account'),
  action('/account/password'),
  action('/logout'),
  href('/forget.css'),
  href('/reset-password'),
  href('/mail'),
];

export function mustChangePassword(session: Session<SessionUser> | null): boolean {
  return session?.user.mustChangePassword === true;
}

export const requireOwnPassword: Middleware<Pick<SessionContext<SessionUser>, 'session'>> =
  function requireOwnPassword(context, next) {
    const { request, session } = context;
    if (!mustChangePassword(session) || ALLOWED.includes(request.path)) return next(context);
    if (isSafe(request)) return seeOther(href('/account'));
    throw new HttpError(
      403,
      `Choose a new password first: yours was reset. The form is at ${href('/account')}.`,
    );
  };
