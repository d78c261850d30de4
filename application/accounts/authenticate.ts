/**
 * Checks a username and a password, after the throttle and the queue of hashes, and logs what fails or is throttled in
 * the security log.
 *
 * It runs the same queries and hashes one password, no matter whether the name or the device is known, so timing
 * reveals neither.
 */
import type { Request } from 'seeother';
import {
  createAttempts,
  type Devices,
  type QueueHash,
  readDevice,
  type Throttle,
} from 'seeother/accounts';
import type { LogSecurity } from '../settings/security-log.ts';
import type { Account, Accounts, Credentials } from './account.ts';
import { toUsernameKey } from './username-key.ts';

/** Rejects with a 429 and Retry-After when throttled, or a 503 when the queue is full. */
export type Authenticate = (credentials: Credentials, request: Request) => Promise<Account | null>;

export interface AuthenticateOptions {
  readonly accounts: Accounts;
  readonly devices: Pick<Devices, 'find'>;
  readonly throttle: Pick<Throttle, 'secondsToWait' | 'begin' | 'end'>;
  readonly queueHash: QueueHash;
  readonly logSecurity: LogSecurity;
}

export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { accounts, devices, throttle, queueHash, logSecurity } = options;
  const attempts = createAttempts({
    throttle,
    queue: queueHash,
    async report(event, { account, request }) {
      const known = await accounts.findByName(account);
      logSecurity(`log-in ${event}`, request, known?.username ?? null);
    },
  });
  return async (credentials, request) => {
    const { username } = credentials;
    const known = await accounts.findByName(username);
    const device = await devices.find(readDevice(request), known?.id ?? null);
    const account = toUsernameKey(username);
    return attempts.check({ kind: 'log-in', account, device, request }, () =>
      accounts.authenticate(credentials),
    );
  };
}
