/** The controller of the user's own account: shows it and changes the password. */
import { endSession, renewSession, seeOther, withFlash, withSession } from 'seeother';
import type { QueueHash } from 'seeother/accounts';
import { href } from '../links.ts';
import { findAddress } from '../mail/due-mails.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { LogSecurity } from '../settings/security-log.ts';
import { formHandlers } from '../site/contexts.ts';
import { toViewer } from '../site/layout.ts';
import type { Accounts } from './account.ts';
import { passwordForm, WRONG_PASSWORD } from './account-forms.ts';
import { accountPage } from './account-page.ts';
import type { Authenticate } from './authenticate.ts';
import { listSessions } from './listed-session.ts';
import { newPasswords } from './new-password.ts';
import { mustChangePassword } from './require-own-password.ts';
import type { Sessions } from './stores.ts';

export interface AccountOptions {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly authenticate: Authenticate;
  readonly queueHash: QueueHash;
  readonly logSecurity: LogSecurity;
  /** The clock of the sessions. */
  readonly now: () => Date;
  /** Absent where no mail server is set up: then the page shows nothing of mails. */
  readonly mailer: Mailer | undefined;
}

export function createAccountController(options: AccountOptions) {
  const { accounts, sessions, authenticate, queueHash, logSecurity, now, mailer } = options;

  const password = formHandlers(passwordForm, {
    name: 'changePassword',
    page: '/account',
    /** The page of the account. */
    async show({ form, errors, session, ...context }) {
      return accountPage({
        viewer: toViewer({ session, ...context }),
        form,
        errors,
        now: now(),
        mustChangePassword: mustChangePassword(session),
        sessions: await listSessions(sessions, { session, request: context.request }, now()),
        address:
          mailer && (await findAddress(mailer.database.read, { account_id: session.user.id })),
      });
    },
    async check({ errors, form, request, session, values }) {
      const { name: username } = session.user;
      const fields = ['newpassword', 'newpasswordagain'] as const;
      const found = await newPasswords.check({ form, values }, { fields, username });
      // `act` checks the current password of a form without other errors.
      if (errors.length + found.length === 0) return [];
      const password = values.currentpassword ?? '';
      const isWrong =
        password !== '' && (await authenticate({ username, password }, request)) === null;
      return isWrong ? [WRONG_PASSWORD, ...found] : found;
    },
    async act({ values, once, repeated, session, request }) {
      const { currentpassword, newpassword } = values;
      const { name: username } = session.user;
      if (newpassword === currentpassword) return { errors: [SAME_PASSWORD] };
      const done = withSession(withFlash(seeOther(href('/account')), CHANGED), renewSession);
      // Only one password is checked. In a repeat, the new password is already the current one.
      const checked = repeated ? newpassword : currentpassword;
      const account = await authenticate({ username, password: checked }, request);
      if (repeated) return account === null ? { errors: [WRONG_PASSWORD] } : done;
      const hash = account && (await queueHash('known device', () => accounts.hash(newpassword)));
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
        if (account === null) return { errors: [WRONG_PASSWORD] };
        return withSession(seeOther(href('/login')), endSession);
      }
    },
  });

  return { password };
}

/** Thrown to roll back the transaction and its receipt. */
class NotChanged extends Error {}

const SAME_PASSWORD = {
  field: 'newpassword',
  message: 'New password must be different from the current one',
} as const;

const CHANGED = 'Your password was changed. You are now logged out on all other devices.';
