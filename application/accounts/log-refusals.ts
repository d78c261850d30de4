/**
 * Logs every 403 for a user in the security log: by role, or until a reset password is changed. It looks at
 * the answer, so it sees the refusals of every route, also of one that is added later.
 */
import type { Context, Middleware, SessionContext } from 'seeother';
import { whenAnswered } from 'seeother/middleware';
import type { LogSecurity } from '../settings/security-log.ts';
import type { SessionUser } from '../site/session-user.ts';

export function logRefusals(
  logSecurity: LogSecurity,
): Middleware<Pick<SessionContext<SessionUser>, 'session'>> {
  const note = ({ request, route }: Context, { name, role }: SessionUser) =>
    logSecurity('access refused', request, name, role, route);
  return function logRefusals(context, next) {
    const { session } = context;
    if (session === null) return next(context);
    return whenAnswered(
      () => next(context),
      (status) => {
        if (status === 403) note(context, session.user);
      },
    );
  };
}
