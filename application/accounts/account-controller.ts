/** The controller of the user's own account: shows it and changes the password. */
import {
  blankForm,
  endSession,
  errorsOf,
  type FormAction,
  type FormContext,
  page,
  type Response,
  refuse,
  renewSession,
  type StatusOf,
  seeOther,
  statusOf,
  withFlash,
  withSession,
} from 'seeother';
import { href } from '../links.ts';
import type { LogSecurity } from '../settings/security-log.ts';
import type { UserContext, WritingContext } from '../site/contexts.ts';
import { toViewer } from '../site/layout.ts';
import type { Accounts } from './account.ts';
import {
  EASY_PASSWORD,
  type PasswordFields,
  passwordForm,
  WRONG_PASSWORD,
} from './account-forms.ts';
import { accountPage } from './account-page.ts';
import type { Authenticate } from './authenticate.ts';
import { orBusy } from './busy.ts';
import { isEasyPassword } from './easy-password.ts';
import { listSessions } from './listed-session.ts';
import { findSlip } from './password-again.ts';
import { mustChangePassword } from './require-own-password.ts';
import type { Sessions } from './session.ts';

export interface AccountOptions {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly authenticate: Authenticate;
  readonly logSecurity: LogSecurity;
  /** The clock of the sessions. */
  readonly now: () => Date;
}

export function createAccountController(options: AccountOptions) {
  const { accounts, sessions, authenticate, logSecurity, now } = options;

  /** The page of the account; after a refused password form, with that form and its errors. */
  async function showAccount<C extends UserContext & Partial<FormContext<PasswordFields>>>(
    context: C,
  ): Promise<Response<StatusOf<C>>> {
    const { form = blankForm(passwordForm), validation, session } = context;
    const view = {
      viewer: toViewer(context),
      form,
      errors: errorsOf(validation),
      now: now(),
      mustChangePassword: mustChangePassword(session),
      sessions: await listSessions(sessions, session, now()),
    };
    return page(accountPage(view), statusOf(context));
  }

  const changePassword: FormAction<PasswordFields, WritingContext> = async (context, next) => {
    const { request, session, validation, once, repeated } = context;
    if (!validation.valid) return next(refuse(context));
    const { currentpassword, newpassword } = validation.values;
    const { name: username } = session.user;
    const slips = await findSlip(context, 'newpasswordagain', validation.values, newpassword);
    if (slips.length > 0) return next(refuse(context, slips));
    if (newpassword === currentpassword) return next(refuse(context, [SAME_PASSWORD]));
    if (await isEasyPassword(newpassword, username))
      return next(refuse(context, [{ field: 'newpassword', message: EASY_PASSWORD }]));
    const done = withSession(withFlash(seeOther(href('/account')), CHANGED), renewSession);
    const refuseCurrent = () => next(refuse(context, [WRONG_PASSWORD]));
    // Only one password is checked. In a repeat, the new password is already the current one.
    const password = repeated ? newpassword : currentpassword;
    const account = await authenticate({ username, password }, request);
    if (repeated) return account === null ? refuseCurrent() : done;
    const hash = account && (await orBusy('known device', () => accounts.hash(newpassword)));
    let isMine = false;
    try {
      // A concurrent repeat may have changed the password before this request checked it. So `once`
      // runs even if the check has failed.
      await once(async (transaction) => {
        const isChanged =
          account !== null &&
          hash !== null &&
          (await accounts.changePassword(transaction, account, hash, session.key));
        if (!isChanged) throw new NotChanged();
        isMine = true;
        return href('/account');
      });
      if (isMine) logSecurity('password changed', request, username);
      return done;
    } catch (error) {
      if (!(error instanceof NotChanged)) throw error;
      return account === null ? refuseCurrent() : withSession(seeOther(href('/login')), endSession);
    }
  };

  return { showAccount, changePassword };
}

/** Thrown to roll back the transaction and its receipt. */
class NotChanged extends Error {}

const SAME_PASSWORD = {
  field: 'newpassword',
  message: 'New password must be different from the current one',
} as const;

const CHANGED = 'Your password was changed. You are now logged out on all other devices.';
