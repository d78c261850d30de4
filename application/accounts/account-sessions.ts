/**
 * The controller to end one's own sessions. A form names a session by its public id, which is
 * searched only among the user's own sessions. So nobody can end a session of another user.
 */
import {
  endSession,
  type FormContext,
  type Handler,
  type Response,
  seeOther,
  withFlash,
  withSession,
} from 'seeother';
import { href } from '../links.ts';
import type { LogSecurity } from '../process/security-log.ts';
import type { UserContext } from '../site/contexts.ts';
import type { SessionFields } from './account-forms.ts';
import type { Sessions } from './session.ts';
import { toPublicId } from './token.ts';

export function createAccountSessionController(
  sessions: Sessions,
  logSecurity: LogSecurity,
  now: () => Date,
) {
  const endOneSession: Handler<UserContext & FormContext<SessionFields>, Response<303>> = async (
    context,
  ) => {
    const { form, request, session } = context;
    const mine = await sessions.list(session.user.id, now());
    const found = mine.find(({ key }) => toPublicId(key) === form.text.id);
    if (found !== undefined) logSecurity('session ended', request, session.user.name);
    if (found?.key === session.key) return withSession(seeOther(href('/login')), endSession);
    if (found !== undefined) await sessions.delete(found.key);
    const answer = seeOther(href('/account'));
    return withFlash(
      answer,
      found === undefined
        ? 'That device was already logged out.'
        : 'That device is now logged out.',
    );
  };

  const endOtherSessions: Handler<UserContext, Response<303>> = async ({ request, session }) => {
    await sessions.deleteAll(session.user.id, session.key);
    logSecurity('other sessions ended', request, session.user.name);
    return withFlash(seeOther(href('/account')), 'All other devices are now logged out.');
  };

  return { endOneSession, endOtherSessions };
}
