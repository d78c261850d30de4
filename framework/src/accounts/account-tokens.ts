/**
 * One-time tokens: the links of mails and invitations, a log-in that waits for its second factor, the answer of another
 * site that is awaited. The table has the SHA-256 of a token, never the token. `take` deletes the row in the
 * transaction of what it allows, so of two requests with one token, on any instance, one gets it.
 */
import type { Connection, WriteTransaction } from '../database/database.ts';
import type { Table } from '../database/tables.ts';
import { createToken, isToken, toTokenKey } from '../session/token.ts';
import { TABLES } from './account-tables.ts';

export type TokenKind =
  | 'invitation'
  | 'registration'
  | 'new password'
  | 'new address'
  | 'log-in link'
  | 'second factor'
  | 'trusted browser'
  | 'trusted log-in'
  | 'recovery code'
  | 'new one-time codes'
  | 'passkey answer'
  | 'passkey key'
  | 'provider log-in'
  | 'provider link'
  | 'provider answer'
  | 'provider session'
  | 'provider log-out'
  | 'repeat';

/**
 * What a change of what one logs in with makes useless: links that a thief may have got, log-ins that wait, and trusted
 * browsers.
 */
export const ENDED_KINDS: readonly TokenKind[] = [
  'new password',
  'log-in link',
  'new address',
  'trusted browser',
  'second factor',
  'repeat',
];

/** What a token allows, for whom, and until when. */
export interface TokenRow<Data = Readonly<Record<string, unknown>>> {
  readonly key: string;
  readonly accountId: number | null;
  /** See `NewToken`. */
  readonly madeBy: number | null;
  readonly data: Data;
  readonly createdAt: Date;
  /** Whether the same form has taken it before: see `takeForForm`. */
  readonly isRepeat: boolean;
  readonly endsAt: Date;
}

export interface NewToken {
  /** Null before there is an account. */
  readonly accountId: number | null;
  /** The account of the administrator who made it. It goes with what lets its maker make one: see `removeMade`. */
  readonly madeBy?: number | null;
  /** JSON. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Milliseconds. */
  readonly lifetime: number;
}

export interface AccountTokens {
  /** Resolves to the token, which is stored nowhere. */
  readonly create: (connection: Connection, kind: TokenKind, token: NewToken) => Promise<string>;
  /** The same for a key that is known already, such as that of a recovery code. */
  readonly add: (
    connection: Connection,
    kind: TokenKind,
    key: string,
    token: NewToken,
  ) => Promise<void>;
  /** Null if there is none, it was taken, or it has expired. */
  readonly find: <Data>(kind: TokenKind, token: string) => Promise<TokenRow<Data> | null>;
  /** The same, and the token is used up, if the transaction commits. */
  readonly take: <Data>(
    transaction: WriteTransaction,
    kind: TokenKind,
    token: string,
  ) => Promise<TokenRow<Data> | null>;
  /**
   * `take` for a form: the same form, sent again within a minute, gets the same row. So a double click, or an answer
   * that was lost, locks nobody out.
   */
  readonly takeForForm: <Data>(
    transaction: WriteTransaction,
    kind: TokenKind,
    token: string,
    form: { readonly once: string | null },
  ) => Promise<TokenRow<Data> | null>;
  /** What `takeForForm` would get, without taking it. */
  readonly findForForm: <Data>(
    kind: TokenKind,
    token: string,
    form: { readonly once: string | null },
  ) => Promise<TokenRow<Data> | null>;
  /** `find` by the key. */
  readonly findKey: <Data>(kind: TokenKind, key: string) => Promise<TokenRow<Data> | null>;
  /** `take` by the key, of one account. */
  readonly takeKey: <Data>(
    transaction: WriteTransaction,
    kind: TokenKind,
    key: string,
    accountId: number | null,
  ) => Promise<TokenRow<Data> | null>;
  /** The oldest first; of all accounts with null. */
  readonly list: <Data>(
    kind: TokenKind,
    accountId: number | null,
  ) => Promise<readonly TokenRow<Data>[]>;
  readonly has: (connection: Connection, accountId: number, kind: TokenKind) => Promise<boolean>;
  readonly remove: (
    connection: Connection,
    accountId: number,
    kinds: readonly TokenKind[],
  ) => Promise<void>;
  /** Those that can be used now, and were made by the account. */
  readonly countMade: (connection: Connection, madeBy: number, kind: TokenKind) => Promise<number>;
  /**
   * Removes what the account has made for others: call it when a thief may have had the account, or when it may no
   * longer make them.
   */
  readonly removeMade: (connection: Connection, madeBy: number) => Promise<void>;
}

/** Milliseconds in which a form may be sent again. */
const REPEAT_LIFE = 60_000;
const COLUMNS = 'key, account_id, made_by, data, created_at, ends_at';

export function createAccountTokens(
  table: Table<WriteTransaction>,
  now: () => Date,
): AccountTokens {
  const { tokens } = TABLES;
  const add: AccountTokens['add'] = async (
    { run },
    kind,
    key,
    { accountId, madeBy = null, data = {}, lifetime },
  ) => {
    const at = now();
    await run(
      `insert into ${tokens} (key, kind, account_id, made_by, data, created_at, ends_at)
        values (?, ?, ?, ?, ?, ?, ?)`,
      [key, kind, accountId, madeBy, JSON.stringify(data), at.toISOString(), toText(at, lifetime)],
    );
  };
  const takeWhere = async <Data>(
    { run }: Connection,
    condition: string,
    values: readonly (string | number)[],
  ) => {
    const { rows } = await run<Row>(
      `delete from ${tokens} where ${condition} and ends_at > ? returning ${COLUMNS}`,
      [...values, now().toISOString()],
    );
    return rows[0] === undefined ? null : toToken<Data>(rows[0]);
  };
  const findKey = async <Data>(kind: TokenKind, key: string) => {
    const [row] = await table.read<Row>(
      `select ${COLUMNS} from ${tokens} where key = ? and kind = ? and ends_at > ?`,
      [key, kind, now().toISOString()],
    );
    return row === undefined ? null : toToken<Data>(row);
  };
  return {
    async create(connection, kind, token) {
      const created = createToken();
      await add(connection, kind, toTokenKey(created), token);
      return created;
    },
    add,
    find: async <Data>(kind: TokenKind, token: string) =>
      isToken(token) ? findKey<Data>(kind, toTokenKey(token)) : null,
    findKey,
    take: async (transaction, kind, token) =>
      isToken(token)
        ? takeWhere(transaction, 'key = ? and kind = ?', [toTokenKey(token), kind])
        : null,
    async takeForForm<Data>(
      transaction: WriteTransaction,
      kind: TokenKind,
      token: string,
      { once }: { readonly once: string | null },
    ) {
      if (!isToken(token)) return null;
      const repeat = toRepeatKey(kind, token, once);
      const taken = await takeWhere<Data>(transaction, 'key = ? and kind = ?', [
        toTokenKey(token),
        kind,
      ]);
      if (once === null) return taken;
      if (taken === null) {
        const { rows } = await transaction.run<Row>(
          `select ${COLUMNS} from ${tokens} where key = ? and kind = 'repeat' and ends_at > ?`,
          [repeat, now().toISOString()],
        );
        return rows[0] === undefined ? null : { ...toToken<Data>(rows[0]), isRepeat: true };
      }
      const { accountId, data } = taken;
      await add(transaction, 'repeat', repeat, {
        accountId,
        data: data as Readonly<Record<string, unknown>>,
        lifetime: REPEAT_LIFE,
      });
      return taken;
    },
    async findForForm<Data>(
      kind: TokenKind,
      token: string,
      { once }: { readonly once: string | null },
    ) {
      if (!isToken(token)) return null;
      const [row] = await table.read<Row>(
        `select ${COLUMNS} from ${tokens} where ends_at > ?
          and (key = ? and kind = ? or key = ? and kind = 'repeat')`,
        [now().toISOString(), toTokenKey(token), kind, toRepeatKey(kind, token, once)],
      );
      return row === undefined ? null : toToken<Data>(row);
    },
    takeKey: (transaction, kind, key, accountId) =>
      accountId === null
        ? takeWhere(transaction, 'key = ? and kind = ?', [key, kind])
        : takeWhere(transaction, 'key = ? and kind = ? and account_id = ?', [key, kind, accountId]),
    async list<Data>(kind: TokenKind, accountId: number | null) {
      const rows = await table.read<Row>(
        `select ${COLUMNS} from ${tokens} where kind = ? and ends_at > ?
          ${accountId === null ? '' : 'and account_id = ?'} order by created_at, key`,
        [kind, now().toISOString(), ...(accountId === null ? [] : [accountId])],
      );
      return rows.map((row) => toToken<Data>(row));
    },
    async has({ run }, accountId, kind) {
      const { rows } = await run(
        `select key from ${tokens} where account_id = ? and kind = ? and ends_at > ? limit 1`,
        [accountId, kind, now().toISOString()],
      );
      return rows.length > 0;
    },
    async remove({ run }, accountId, kinds) {
      await run(
        `delete from ${tokens} where account_id = ? and kind in (${kinds.map(() => '?').join()})`,
        [accountId, ...kinds],
      );
    },
    async countMade({ run }, madeBy, kind) {
      const { rows } = await run<{ readonly count: number | string }>(
        `select count(*) as count from ${tokens} where made_by = ? and kind = ? and ends_at > ?`,
        [madeBy, kind, now().toISOString()],
      );
      return Number(rows[0]?.count);
    },
    async removeMade({ run }, madeBy) {
      await run(`delete from ${tokens} where made_by = ?`, [madeBy]);
    },
  };
}

/** The key of the form is in its page alone. */
function toRepeatKey(kind: TokenKind, token: string, once: string | null): string {
  return toTokenKey(`${kind} ${token} ${once}`);
}

interface Row {
  readonly key: string;
  readonly account_id: number | bigint | string | null;
  readonly made_by: number | bigint | string | null;
  readonly data: string;
  readonly created_at: string;
  readonly ends_at: string;
}

function toToken<Data>(row: Row): TokenRow<Data> {
  const { key, account_id, made_by, data, created_at, ends_at } = row;
  return {
    key,
    accountId: account_id === null ? null : Number(account_id),
    madeBy: made_by === null ? null : Number(made_by),
    data: JSON.parse(data),
    createdAt: new Date(created_at),
    isRepeat: false,
    endsAt: new Date(ends_at),
  };
}

function toText(at: Date, lifetime: number): string {
  return new Date(at.getTime() + lifetime).toISOString();
}
