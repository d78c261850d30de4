/**
 * The security log: one JSON line on standard error per account event, with the client's address and
 * the username; `docs/decisions/logs.md`.
 *
 * A user may type a password into the username field. So a line only names existing accounts, never the
 * typed text.
 */
import type { Context, Request } from 'seeother';
import { toLine } from './error-line.ts';

export type SecurityEvent =
  | 'logged in'
  | 'log-in failed'
  | 'log-in throttled'
  | 'logged out'
  | 'account registered'
  | 'account disabled'
  | 'account enabled'
  | 'role changed'
  | 'password changed'
  | 'password reset'
  | 'reset link made'
  | 'invitation made'
  | 'invitation used'
  | 'invitation withdrawn'
  | 'item removed for ever'
  | 'old value removed'
  | 'session ended'
  | 'other sessions ended'
  | 'access refused'
  | 'origin refused'
  | 'host refused'
  | 'requests refused';

/**
 * `request` is null for a terminal command, and for several requests. `account` is a stored username, or null if there
 * is no such account or the client is not identified.
 */
export type LogSecurity = (
  event: SecurityEvent,
  request: Pick<Request, 'address' | 'method' | 'path'> | null,
  account: string | null,
  detail?: string,
  route?: Context['route'],
) => void;

/** Maximum characters of a path and of a detail, which can contain a client's text. */
const MAX_LENGTH = 500;

export function createSecurityLog(write: (line: string) => void): LogSecurity {
  return (event, request, account, detail, route) => {
    const from = request && {
      address: request.address,
      request: `${request.method} ${request.path}`.slice(0, MAX_LENGTH),
      ...(route && { route: `${route.method} ${route.pattern}` }),
    };
    write(toLine({ security: event, account, ...from, detail: detail?.slice(0, MAX_LENGTH) }));
  };
}
