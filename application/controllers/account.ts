/** One's own account: what it shows, and changing the password. */
import {
  blankForm,
  type Context,
  describeMiddleware,
  endSession,
  errorsOf,
  type FormAction,
  type FormContext,
  type LoggedIn,
  page,
  type Response,
  renewSession,
  type SessionContext,
  type StatusOf,
  seeOther,
  statusOf,
  withFlash,
  withSession,
} from 'seeother';
import { EASY_PASSWORD, type PasswordFields, passwordForm } from '../forms/account-forms.ts';
import { href } from '../links.ts';
import type { Accounts } from '../models/account.ts';
import { isEasyPassword } from '../models/easy-password.ts';
import type { Invitations } from '../models/invitation.ts';
import type { Sessions } from '../models/session.ts';
import { toPublicId } from '../models/token.ts';
import { accountPage } from '../views/account-page.ts';
import { describeAgent } from '../views/describe-agent.ts';
import { toViewer } from '../views/layout.ts';
import type { Authenticate } from './authenticate.ts';
import { orBusy } from './busy.ts';

export interface AccountOptions {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly invitations: Invitations;
  readonly authenticate: Authenticate;
  /** The clock of the sessions. */
  readonly now: () => Date;
}

export function createAccountController(options: AccountOptions) {
  const { accounts, sessions, invitations, authenticate, now } = options;

  /** The page, or the page with the password form that was sent and what is wrong about it. */
  async function showAccount<
    C extends Context & SessionContext & LoggedIn & Partial<FormContext<PasswordFields>>,
  >(context: C): Promise<Response<StatusOf<C>>> {
    const { form = blankForm(passwordForm), validation, session } = context;
    const mine = await sessions.list(session.user.id, now());
    const view = {
      viewer: toViewer(context),
      form,
      errors: errorsOf(validation),
      sessions: mine
        .map((one) => ({
          ...one,
          id: toPublicId(one.key),
          agent: describeAgent(one.agent),
          isThis: one.key === session.key,
        }))
        .sort((one, other) => Number(other.isThis) - Number(one.isThis)),
      invitations: await invitations.list(),
    };
    return page(accountPage(view), statusOf(context));
  }

  const changePassword: FormAction<PasswordFields, LoggedIn> = async (context, next) => {
    const { request, session, validation } = context;
    if (!validation.valid) return next({ ...context, validation, status: 400 });
    const { currentpassword, newpassword } = validation.values;
    const { id, username } = session.user;
    const refuse = (field: keyof PasswordFields, message: string) =>
      next({ ...context, status: 400, validation: { valid: false, errors: [{ field, message }] } });
    if (await isEasyPassword(newpassword, username)) return refuse('newpassword', EASY_PASSWORD);
    const done = withSession(withFlash(seeOther(href('/account')), CHANGED), renewSession);
    const account = await authenticate({ username, password: currentpassword }, request);
    const change = { from: currentpassword, to: newpassword };
    const isChanged =
      account !== null &&
      (await orBusy('known device', () => accounts.changePassword(id, change, session.key)));
    if (isChanged) return done;
    // The same form a second time: it was carried out, and nobody has seen the answer. The try above
    // is counted already.
    const isDone = await orBusy('known device', () =>
      accounts.authenticate({ username, password: newpassword }),
    );
    if (isDone !== null) return done;
    if (account === null) return refuse('currentpassword', 'Enter the password that you have now');
    return withSession(seeOther(href('/login')), endSession);
  };
  describeMiddleware(changePassword, {
    needs: ['session', 'form', 'validation', 'status'],
    adds: ['validation', 'status'],
  });

  return { showAccount, changePassword };
}

const CHANGED = 'Your password was changed, and you are logged out everywhere but here.';
