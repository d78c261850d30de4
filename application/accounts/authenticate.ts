/**
 * Checks a username and a password, after the throttle and the queue of hashes. An attempt is
 * stored as pending only when it leaves the queue, so a process has at most two pending attempts.
 *
 * It runs the same queries and hashes one password, no matter whether the name or the device is
 * known, so timing reveals neither.
 */
import { HttpError, type Request, toNetworks } from 'seeother';
import type { Account, Accounts, Credentials } from './account.ts';
import { busy, orBusy } from './busy.ts';
import type { Devices } from './device.ts';
import { readDevice } from './device-cookie.ts';
import type { LogInThrottle } from './log-in-throttle.ts';

/** Rejects with a 429 and Retry-After when throttled, or a 503 when the queue is full. */
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
    const attempt = { username, networks: toNetworks(request.address), device };
    // Checked first, so that a refused attempt does not enter the queue.
    const seconds = await throttle.secondsToWait(attempt);
    if (seconds > 0) throw tooManyTries(seconds);
    return orBusy(device === null ? 'unknown device' : 'known device', async () => {
      const begun = await throttle.begin(attempt);
      if (begun.kind === 'wait') throw tooManyTries(begun.seconds);
      if (begun.kind === 'busy') throw busy();
      let hasFailed = false;
      try {
        const account = await accounts.authenticate({ username, password });
        hasFailed = account === null;
        return account;
      } finally {
        await throttle.end(attempt, begun.id, hasFailed);
      }
    });
  };
}

function tooManyTries(seconds: number): HttpError {
  return new HttpError(
    429,
    `There were too many failed attempts to log in. You can try again in ${inWords(seconds)}.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

function inWords(seconds: number): string {
  if (seconds <= 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
