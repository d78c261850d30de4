/**
 * The security log: one JSON line on standard error per account event, with the client's address and
 * the username; `docs/decisions/logs.md`.
 *
 * A user may type a password into the username field. So a line only names existing accounts, never the
 * typed text.
 */
import type { Context, Request } from 'seeother';
import type { AccountEvent } from 'seeother/accounts';
import { toLine } from './error-line.ts';

/** The names that events of accounts have had here from the start. */
const NAMES = {
  registered: 'account registered',
  disabled: 'account disabled',
  enabled: 'account enabled',
  'link made': 'reset link made',
  invited: 'invitation made',
} as const satisfies Partial<Record<AccountEvent['kind'], string>>;

type Renamed = typeof NAMES;

type AccountLine = Exclude<AccountEvent['kind'], keyof Renamed> | Renamed[keyof Renamed];

export type SecurityEvent =
  | AccountLine
  | 'invitation used'
  | 'item removed for ever'
  | 'old value removed'
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

/** Their detail is what somebody has typed: an address, or the name of a passkey. */
const TYPED: readonly AccountEvent['kind'][] = [
  'address changed',
  'passkey added',
  'passkey removed',
  'passkey refused',
];

/** For `onEvent` of the accounts. */
export function logAccountEvents(logSecurity: LogSecurity) {
  return ({ kind, account, detail, by, request }: AccountEvent) => {
    // Its line has the request that logged in: see `onStarted` in router.ts.
    if (kind === 'logged in') return;
    const username = account?.username ?? null;
    const from = request !== null && 'method' in request ? request : null;
    if (kind === 'registered' && by !== null) logSecurity('invitation used', from, username);
    const details = [
      ...(detail === '' || TYPED.includes(kind) ? [] : [detail]),
      ...(by === null || by === username ? [] : [`by ${by}`]),
    ];
    const name = isRenamed(kind) ? NAMES[kind] : kind;
    logSecurity(name, from, username, details.join(', ') || undefined);
  };
}

function isRenamed(kind: AccountEvent['kind']): kind is keyof typeof NAMES {
  return Object.hasOwn(NAMES, kind);
}
