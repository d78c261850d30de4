/**
 * The security log: one line of JSON on standard error for each event of an account, with the client's
 * address and the account's name; `docs/decisions/security-log.md`.
 *
 * What was typed where a username belongs may be a password: a line names accounts that exist, never
 * what was typed.
 */
import type { Request } from 'seeother';
import { toLine } from './error-line.ts';

export type SecurityEvent =
  | 'logged in'
  | 'log-in failed'
  | 'log-in throttled'
  | 'logged out'
  | 'account registered'
  | 'account disabled'
  | 'account enabled'
  | 'password changed'
  | 'password reset'
  | 'invitation made'
  | 'invitation used'
  | 'invitation withdrawn'
  | 'session ended'
  | 'other sessions ended'
  | 'origin refused'
  | 'host refused';

/**
 * `request` is null for a command of the terminal. `account` is a username as it is stored, or null when
 * there is no such account, or when it is not known who the client is.
 */
export type LogSecurity = (
  event: SecurityEvent,
  request: Pick<Request, 'address' | 'method' | 'path'> | null,
  account: string | null,
  detail?: string,
) => void;

/** Characters of a path and of a detail, in which a client's words may stand. */
const LONGEST = 500;

export function createSecurityLog(write: (line: string) => void): LogSecurity {
  return (event, request, account, detail) => {
    const from = request && {
      address: request.address,
      request: `${request.method} ${request.path}`.slice(0, LONGEST),
    };
    write(toLine({ security: event, account, ...from, detail: detail?.slice(0, LONGEST) }));
  };
}
