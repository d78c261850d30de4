/**
 * The controller to end one's own sessions. It asks for the password again: a stolen session alone cannot
 * lock out its owner. A form names a session by its public id, which is searched only among the user's own
 * sessions. So nobody can end a session of another user.
 */
import {
  blankForm,
  endSession,
  errorsOf,
  type FormAction,
  type FormContext,
  page,
  type Response,
  refuse,
  type StatusOf,
  seeOther,
  statusOf,
  withFlash,
  withSession,
} from 'seeother';
import { href } from '../links.ts';
import type { LogSecurity } from '../settings/security-log.ts';
import type { UserContext } from '../site/contexts.ts';
import { toViewer } from '../site/layout.ts';
import { type EndSessionsFields, endSessionsForm, WRONG_PASSWORD } from './account-forms.ts';
import type { Authenticate } from './authenticate.ts';
import type { EndSessions } from './end-sessions.ts';
import { endSessionsPage } from './end-sessions-page.ts';
import { listSessions } from './listed-session.ts';
import type { Sessions } from './session.ts';

export interface AccountSessionOptions {
  readonly sessions: Sessions;
  readonly endSessions: EndSessions;
  readonly authenticate: Authenticate;
  readonly logSecurity: LogSecurity;
  /** The clock of the sessions. */
  readonly now: () => Date;
}

export function createAccountSessionController(options: AccountSessionOptions) {
  const { sessions, endSessions, authenticate, logSecurity, now } = options;

  /** After a refused form, with that form and its errors. */
  async function showEndSessions<C extends UserContext & Partial<FormContext<EndSessionsFields>>>(
    context: C,
  ): Promise<Response<StatusOf<C> | 303>> {
    const { request, session, validation } = context;
    const form = context.form ?? blankForm(endSessionsForm, { id: request.query.get('id') ?? '' });
    const mine = await listSessions(sessions, session, now());
    const { id } = form.text;
    const ended = mine.filter((one) => (id === '' ? !one.isThis : one.id === id));
    if (ended.length === 0) return seeOther(href('/account'));
    const view = {
      viewer: toViewer(context),
      form,
      errors: errorsOf(validation),
      ended,
      now: now(),
    };
    return page(endSessionsPage(view), statusOf(context));
  }

  const endOwnSessions: FormAction<EndSessionsFields, UserContext> = async (context, next) => {
    const { form, request, session, validation } = context;
    const { id } = form.text;
    const mine = await listSessions(sessions, session, now());
    const found = mine.find((one) => one.id === id);
    if (id !== '' && found === undefined) return withFlash(seeOther(href('/account')), ALREADY);
    if (!validation.valid) return next(refuse(context));
    const { name: username } = session.user;
    const password = validation.values.currentpassword;
    const account = await authenticate({ username, password }, request);
    if (account === null) return next(refuse(context, [WRONG_PASSWORD]));
    const isDone = await endSessions(account, session.key, found?.key ?? null);
    if (isDone) logSecurity(found ? 'session ended' : 'other sessions ended', request, username);
    if (!isDone || found?.isThis) return withSession(seeOther(href('/login')), endSession);
    return withFlash(seeOther(href('/account')), found ? ENDED_ONE : ENDED_OTHERS);
  };

  return { showEndSessions, endOwnSessions };
}

const ALREADY = 'That device was already logged out.';
const ENDED_ONE = 'That device is now logged out.';
const ENDED_OTHERS = 'All other devices are now logged out.';
