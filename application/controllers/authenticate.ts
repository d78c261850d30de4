/**
 * Whose name and password these are, behind the throttle. A try is counted before it is made, so
 * that tries made at once count each other, and taken back when it was right or could not be made.
 *
 * Whether the name is known or the browser is, the same is looked up and one password is hashed.
 */
import { HttpError, type Request } from 'seeother';
import type { Account, Accounts, Credentials } from '../models/account.ts';
import type { Devices } from '../models/device.ts';
import type { LogInThrottle } from '../models/log-in-throttle.ts';
import { orBusy } from './busy.ts';
import { toNetwork } from './client-network.ts';
import { readDevice } from './device-cookie.ts';

/** Rejects with a 429 that says when to come back, or a 503 when too many are being checked. */
export type Authenticate = (credentials: Credentials, request: Request) => Promise<Account | null>;

export interface AuthenticateOptions {
  readonly accounts: Accounts;
  readonly devices: Devices;
  readonly throttle: LogInThrottle;
}

export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { accounts, devices, throttle } = options;
  return async ({ username, password }, request) => {
    const device = await devices.find(readDevice(request), username);
    const one = { username, address: toNetwork(request.address), device };
    const seconds = await throttle.countTry(one);
    if (seconds > 0) throw tooManyTries(seconds);
    let isWrong = false;
    try {
      const account = await orBusy(accounts.authenticate({ username, password }));
      isWrong = account === null;
      return account;
    } finally {
      if (!isWrong) await throttle.takeBack(one);
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
