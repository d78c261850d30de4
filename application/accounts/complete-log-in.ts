/**
 * The last step of every log-in and registration: starts the session, records the device,
 * redirects. After a log-in, the next page tells what was changed in the account since.
 */
import {
  addFlash,
  type Href,
  type Request,
  type Response,
  seeOther,
  startSession,
  withSession,
} from 'seeother';
import { type Devices, readDevice, withDevice } from 'seeother/accounts';
import type { KyselyTransaction } from '../database/kysely.ts';
import { type Account, type Accounts, toSessionUser } from './account.ts';
import { describeNotices } from './describe-notices.ts';

export interface LogInOptions extends NonNullable<Parameters<typeof startSession>[1]> {
  /** Whether the next page tells of these changes. */
  readonly showsNotices?: boolean;
}

export type CompleteLogIn = (
  request: Request,
  account: Account,
  path: Href,
  options?: LogInOptions,
) => Promise<Response<303>>;

export function createCompleteLogIn(
  devices: Pick<Devices<KyselyTransaction>, 'renew'>,
  accounts: Pick<Accounts, 'findNotices'>,
): CompleteLogIn {
  return async (request, account, path, { showsNotices = false, ...options } = {}) => {
    const token = await devices.renew(readDevice(request), account.id);
    const notices = showsNotices ? await accounts.findNotices(account.id) : [];
    const user = { ...toSessionUser(account), notices };
    const started = withSession(seeOther(path), startSession(user, options));
    // Not for the page at the path: that may redirect, or refuse this user.
    const answer =
      notices.length === 0
        ? started
        : withSession(started, addFlash(null, describeNotices(notices)));
    return withDevice(answer, request, token);
  };
}
