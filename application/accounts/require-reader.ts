/**
 * With READERS=members, only the routes listed here answer a visitor: the help, the forms to log in and to
 * register, and the health checks. Any other route needs a session, also one that is added later. It stands in
 * the global chain before the routes' own middleware, so a visitor gets no 304 and no 404 about items either.
 */
import { type Middleware, requireSession, type SessionContext } from 'seeother';
import { action, href } from '../links.ts';
import type { Readers } from '../settings/config.ts';
import { HEALTH_CHECKS } from '../site/health.ts';

const OPEN: ReadonlySet<string> = new Set<string>([
  href('/help'),
  href('/register'),
  href('/reset-password'),
  href('/mail'),
  href('/login'),
  action('/logout'),
  href('/forget.css'),
  ...HEALTH_CHECKS,
]);

export function requireReader(readers: Readers): Middleware<Pick<SessionContext, 'session'>> {
  return function requireReader(context, next) {
    const { route } = context;
    // An unknown address is a 404 for everybody: it says only which routes exist.
    const isOpen = readers === 'everybody' || route === null || OPEN.has(route.pattern);
    return isOpen ? next(context) : requireSession(context, next);
  };
}
