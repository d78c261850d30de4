/**
 * The controller to end one's own sessions. It asks for the password again: a stolen session alone cannot
 * lock out its owner. A form names a session by its public id, which is searched only among the user's own
 * sessions. So nobody can end a session of another user.
 */
import { endSession, seeOther, withFlash, withSession } from 'seeother';
import { href } from '../links.ts';
import type { LogSecurity } from '../settings/security-log.ts';
import { formHandlers } from '../site/contexts.ts';
import { toViewer } from '../site/layout.ts';
import { endSessionsForm, WRONG_PASSWORD } from './account-forms.ts';
import type { Authenticate } from './authenticate.ts';
import type { EndSessions } from './end-sessions.ts';
import { endSessionsPage } from './end-sessions-page.ts';
import { listSessions } from './listed-session.ts';
import type { Sessions } from './stores.ts';

export interface EndSessionsOptions {
  readonly sessions: Sessions;
  readonly endSessions: EndSessions;
  readonly authenticate: Authenticate;
  readonly logSecurity: LogSecurity;
  /** The clock of the sessions. */
  readonly now: () => Date;
}

export function createEndSessionsController(options: EndSessionsOptions) {
  const { sessions, endSessions, authenticate, logSecurity, now } = options;

  const endOwn = formHandlers(endSessionsForm, {
    name: 'endOwnSessions',
    page: '/account',
    once: false,
    fill: ({ request }) => ({ id: request.query.get('id') ?? '' }),
    async show({ form, errors, isSent, session, ...context }) {
      const { id } = form.text;
      const mine = await listSessions(sessions, { session, request: context.request }, now());
      const ended = mine.filter((one) => (id === '' ? !one.isThis : one.id === id));
      const viewer = toViewer({ session, ...context });
      if (ended.length > 0) return endSessionsPage({ viewer, form, errors, ended, now: now() });
      const back = seeOther(href('/account'));
      return isSent && id !== '' ? withFlash(back, ALREADY) : back;
    },
    async act({ request, session, values: { id, currentpassword: password } }) {
      const mine = await listSessions(sessions, { session, request }, now());
      const found = mine.find((one) => one.id === id);
      if (id !== '' && found === undefined) return withFlash(seeOther(href('/account')), ALREADY);
      const { name: username } = session.user;
      const account = await authenticate({ username, password }, request);
      if (account === null) return { errors: [WRONG_PASSWORD] };
      const isDone = await endSessions(account, session.key, found?.key ?? null);
      if (isDone) logSecurity(found ? 'session ended' : 'other sessions ended', request, username);
      if (!isDone || found?.isThis) return withSession(seeOther(href('/login')), endSession);
      return withFlash(seeOther(href('/account')), found ? ENDED_ONE : ENDED_OTHERS);
    },
  });

  return { endOwn };
}

const ALREADY = 'That device was already logged out.';
const ENDED_ONE = 'That device is now logged out.';
const ENDED_OTHERS = 'All other devices are now logged out.';
