/** Logs every failed or throttled log-in in the security log. */
import { HttpError } from 'seeother';
import type { LogSecurity } from '../settings/security-log.ts';
import type { Accounts } from './account.ts';
import type { Authenticate } from './authenticate.ts';

export function logAttempts(
  authenticate: Authenticate,
  accounts: Accounts,
  logSecurity: LogSecurity,
): Authenticate {
  return async (credentials, request) => {
    const note = async (event: 'log-in failed' | 'log-in throttled') =>
      logSecurity(event, request, await accounts.findUsername(credentials.username));
    try {
      const account = await authenticate(credentials, request);
      if (account === null) await note('log-in failed');
      return account;
    } catch (error) {
      if (error instanceof HttpError && error.status === 429) await note('log-in throttled');
      throw error;
    }
  };
}
