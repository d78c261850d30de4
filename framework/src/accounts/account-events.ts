/**
 * The security log: what was done to an account, when, and from where. An event is written in the transaction of what
 * it tells. Its user is told of some of them: by a mail at once, and on the page after the next log-in.
 */
import type { Connection, WriteTransaction } from '../database/database.ts';
import type { Table } from '../database/tables.ts';
import type { Request } from '../http/request.ts';
import type { Session } from '../session/session.ts';
import type { Account } from './account.ts';
import { TABLES } from './account-tables.ts';

export type EventKind =
  | 'registered'
  | 'logged in'
  | 'log-in failed'
  | 'second factor failed'
  | 'logged out'
  | 'session ended'
  | 'other sessions ended'
  | 'password changed'
  | 'password reset'
  | 'address changed'
  | 'second factor added'
  | 'second factor removed'
  | 'recovery code used'
  | 'recovery codes made'
  | 'passkey added'
  | 'passkey removed'
  | 'passkey refused'
  | 'provider linked'
  | 'provider removed'
  | 'role ignored'
  | 'link made'
  | 'invited'
  | 'invitation withdrawn'
  | 'role changed'
  | 'disabled'
  | 'enabled'
  | 'deleted';

/** Of these, the user is told at once by mail, and after the next log-in. */
export const TOLD: readonly EventKind[] = [
  'password changed',
  'password reset',
  'address changed',
  'second factor added',
  'second factor removed',
  'recovery code used',
  'recovery codes made',
  'passkey added',
  'passkey removed',
  'passkey refused',
  'provider linked',
  'provider removed',
  'role changed',
];

export interface StoredEvent {
  readonly id: number;
  readonly at: Date;
  readonly kind: EventKind;
  /** Such as the new role, or the name of a passkey. Never a password, a code or a token. */
  readonly detail: string;
  readonly address: string;
  /** The User-Agent header, cut. */
  readonly agent: string;
}

export interface NewEvent {
  /** Whose it is. Null if there is no such account. */
  readonly account: Pick<Account, 'id' | 'username'> | null;
  readonly kind: EventKind;
  /** In the log, `by` stands in place of none. */
  readonly detail?: string;
  /** The username of the administrator who did it, or `terminal`. Null if nobody but the user did. */
  readonly by?: string | null;
  /** Where it came from: a request, or a session. Null for a program. */
  readonly request: Request | Pick<Session, 'address' | 'agent'> | null;
}

/**
 * What `onEvent` gets. `log-in throttled` is told but not stored: its detail is the kind of attempt if that was not a
 * password.
 */
export interface AccountEvent {
  readonly account: { readonly id: number; readonly username: string } | null;
  readonly kind: EventKind | 'log-in throttled';
  readonly detail: string;
  readonly by: string | null;
  readonly request: NewEvent['request'];
}

/** `by` of what a program did. */
export const TERMINAL = 'terminal';

export interface AccountEvents {
  /** `onEvent` is told after the commit. */
  readonly add: (transaction: WriteTransaction, event: NewEvent) => Promise<void>;
  /** The newest first. `before` is the id that they come before. */
  readonly list: (place: {
    readonly accountId: number;
    readonly limit: number;
    readonly before?: number;
  }) => Promise<readonly StoredEvent[]>;
  /** What its user is told after the next log-in, the oldest first. */
  readonly untold: (accountId: number) => Promise<readonly StoredEvent[]>;
  readonly setTold: (connection: Connection, ids: readonly number[]) => Promise<void>;
}

/** Characters of a User-Agent, and of a detail. */
const MAX_LENGTH = 200;
const COLUMNS = 'id, at, kind, detail, address, agent';

export function createAccountEvents(
  table: Table<WriteTransaction>,
  now: () => Date,
  onEvent: (event: AccountEvent) => void,
): AccountEvents {
  const { events } = TABLES;
  return {
    async add(transaction, { account, kind, detail, by = null, request }) {
      const isUntold = account !== null && TOLD.includes(kind);
      await transaction.run(
        `insert into ${events} (at, account_id, kind, detail, address, agent, untold)
          values (?, ?, ?, ?, ?, ?, ?)`,
        [
          now().toISOString(),
          account?.id ?? null,
          kind,
          (detail ?? by ?? '').slice(0, MAX_LENGTH),
          request?.address ?? '',
          agentOf(request).slice(0, MAX_LENGTH),
          isUntold ? 1 : 0,
        ],
      );
      const told = { account: toTold(account), kind, detail: detail ?? '', by, request };
      transaction.onCommit(() => onEvent(told));
    },
    async list({ accountId, limit, before = Number.MAX_SAFE_INTEGER }) {
      const rows = await table.read<Row>(
        `select ${COLUMNS} from ${events} where account_id = ? and id < ? order by id desc limit ?`,
        [accountId, before, limit],
      );
      return rows.map(toEvent);
    },
    async untold(accountId) {
      const rows = await table.read<Row>(
        `select ${COLUMNS} from ${events} where account_id = ? and untold = 1 order by id limit 10`,
        [accountId],
      );
      return rows.map(toEvent);
    },
    async setTold({ run }, ids) {
      for (const id of ids) await run(`update ${events} set untold = 0 where id = ?`, [id]);
    },
  };
}

/** No more of the account than a site is told: it may be the whole row. */
export function toTold(account: AccountEvent['account']): AccountEvent['account'] {
  return account && { id: account.id, username: account.username };
}

/** `onEvent` of a site, which may be async in spite of its type. Nobody awaits it, so its errors are warnings. */
export function warnOfErrors(
  onEvent: (event: AccountEvent) => unknown = () => {},
): (event: AccountEvent) => void {
  return (event) => {
    const warn = (cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `onEvent of the accounts has failed for the event "${event.kind}": ${reason}`;
      const warning = new Error(message, { cause });
      warning.name = 'Warning';
      process.emitWarning(warning);
    };
    try {
      Promise.resolve(onEvent(event)).catch(warn);
    } catch (error) {
      warn(error);
    }
  };
}

function agentOf(request: NewEvent['request']): string {
  if (request === null) return '';
  return 'agent' in request ? request.agent : (request.headers['user-agent'] ?? '');
}

interface Row {
  readonly id: number | bigint | string;
  readonly at: string;
  readonly kind: EventKind;
  readonly detail: string;
  readonly address: string;
  readonly agent: string;
}

function toEvent({ id, at, ...row }: Row): StoredEvent {
  return { ...row, id: Number(id), at: new Date(at) };
}
