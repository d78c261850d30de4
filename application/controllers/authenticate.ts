/**
 * Whose name and password these are, behind the throttle. A try is counted before it is made, so
 * that tries made at once count each other, and taken back when it was right or could not be made.
 */
import { HttpError } from 'seeother';
import type { Account, Accounts, Credentials } from '../models/account.ts';
import type { LogInThrottle } from '../models/log-in-throttle.ts';
import { orBusy } from './busy.ts';

/** Rejects with a 429 that says when to come back, or a 503 when too many are being checked. */
export type Authenticate = (credentials: Credentials, address: string) => Promise<Account | null>;

export function createAuthenticate(accounts: Accounts, throttle: LogInThrottle): Authenticate {
  return async ({ username, password }, address) => {
    const seconds = await throttle.countTry(username, address);
    if (seconds > 0) throw tooManyTries(seconds);
    let isWrong = false;
    try {
      const account = await orBusy(accounts.authenticate({ username, password }));
      isWrong = account === null;
      return account;
    } finally {
      if (!isWrong) await throttle.takeBack(username, address);
    }
  };
}

function tooManyTries(seconds: number): HttpError {
  return new HttpError(
    429,
    `There were too many failed tries to log in. The next one can be made in ${inWords(seconds)}.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

function inWords(seconds: number): string {
  if (seconds <= 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
