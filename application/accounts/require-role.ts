/**
 * Protects routes by role. Without a session they answer as `requireSession` does; a person whose role is
 * too low gets a 403 page with the names of those who can change that. The form is not carried out.
 */
import {
  type Context,
  type LoggedIn,
  type Middleware,
  page,
  readTyped,
  requireSession,
  type SessionContext,
} from 'seeother';
import { ROLES, type Role } from '../settings/role.ts';
import { toViewer } from '../site/layout.ts';
import type { SessionUser } from '../site/session-user.ts';
import type { People } from './people.ts';
import { roleTooLowPage } from './role-page.ts';

type Refused = Context & Pick<SessionContext<SessionUser>, 'session'>;
type Guard = Middleware<Pick<SessionContext<SessionUser>, 'session'>, LoggedIn<SessionUser>>;

export function createRequireRole(people: Pick<People, 'administrators'>) {
  const refuse = createRefusal(people);
  const requireMember: Guard = function requireMember(context, next) {
    const { session } = context;
    return session === null || hasRole(session.user, 'member')
      ? requireSession(context, next)
      : refuse(context, 'member');
  };
  const requireAdministrator: Guard = function requireAdministrator(context, next) {
    const { session } = context;
    return session === null || hasRole(session.user, 'administrator')
      ? requireSession(context, next)
      : refuse(context, 'administrator');
  };
  return { requireMember, requireAdministrator };
}

/** The answer to somebody whose role is too low. */
export function createRefusal(people: Pick<People, 'administrators'>) {
  return async (context: Refused, needed: Role) => {
    const { request, session } = context;
    const role = session?.user.role ?? 'reader';
    const isForm = request.method === 'POST';
    const viewer = toViewer({ session, flash: null });
    const administrators = await people.administrators();
    const typed = isForm ? await readTyped(context) : [];
    return page(roleTooLowPage({ viewer, role, needed, administrators, isForm, typed }), 403);
  };
}

/** Whether the role of the user is this one, or one that may do more. */
function hasRole({ role }: Pick<SessionUser, 'role'>, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
