/**
 * Which sessions began with a provider's sign-in, so that the provider can end them (OpenID Connect Back-Channel
 * Logout 1.0). A session is named by its account and start: its key changes with a password. A log-out also refuses a
 * sign-in that is under way, such as one that waits for the second factor.
 */
import type { Connection, WriteTransaction } from '../database/database.ts';
import type { LogOut } from '../openid/provider.ts';
import { createToken, toTokenKey } from '../session/token.ts';
import { TABLES } from './account-tables.ts';
import type { AccountTokens } from './account-tokens.ts';
import type { Identities } from './identities.ts';

/** What of a provider's answer goes with the session. */
export interface ProvedByProvider {
  readonly issuer: string;
  readonly subject: string;
  /** The session there; null if the provider does not name it. */
  readonly sessionId: string | null;
  /** In ISO 8601: when the answer came. */
  readonly at: string;
}

export interface ProviderSessions {
  /** Before the session is stored, with its account locked. False if the provider has ended it meanwhile. */
  readonly add: (
    transaction: WriteTransaction,
    session: { readonly accountId: number; readonly startedAt: Date },
    proved: ProvedByProvider,
  ) => Promise<boolean>;
  /**
   * Ends the sessions that the log-out means. Resolves to the accounts that had one; null for a log-out that was
   * carried out before.
   */
  readonly end: (
    transaction: WriteTransaction,
    logOut: LogOut,
  ) => Promise<readonly number[] | null>;
}

type Started = ProvedByProvider & { readonly startedAt: string };

const DAY = 86_400_000;
/** Longer than any session. */
const ROW_LIFE = 400 * DAY;

export function createProviderSessions(parts: {
  readonly tokens: AccountTokens;
  readonly identities: Identities;
  /** The SQL name of the table. */
  readonly sessions: string;
  readonly lock: (transaction: WriteTransaction, accountId: number) => Promise<unknown>;
  readonly now: () => Date;
}): ProviderSessions {
  const { tokens, identities, sessions, lock, now } = parts;
  const table = TABLES.tokens;

  /** False if it is there already. */
  const mark = async ({ run }: Connection, key: string, endsAt: Date): Promise<boolean> => {
    const { rows } = await run(
      `insert into ${table} (key, kind, account_id, data, created_at, ends_at)
        values (?, 'provider log-out', null, '{}', ?, ?) on conflict do nothing returning key`,
      [key, now().toISOString(), endsAt.toISOString()],
    );
    return rows.length > 0;
  };
  const findMark = async ({ run }: Connection, key: string): Promise<string | null> => {
    const { rows } = await run<{ readonly created_at: string }>(
      `select created_at from ${table} where key = ? and kind = 'provider log-out'`,
      [key],
    );
    return rows[0]?.created_at ?? null;
  };
  const find = async ({ run }: Connection, accountId: number | null) => {
    const { rows } = await run<Row>(
      `select key, account_id, data from ${table} where kind = 'provider session'
        ${accountId === null ? '' : 'and account_id = ?'}`,
      accountId === null ? [] : [accountId],
    );
    return rows.map((row) => ({
      key: row.key,
      accountId: Number(row.account_id),
      started: JSON.parse(row.data) as Started,
    }));
  };
  const remove = ({ run }: Connection, key: string) =>
    run(`delete from ${table} where key = ?`, [key]);

  return {
    async add(transaction, { accountId, startedAt }, proved) {
      const { issuer, subject, sessionId, at } = proved;
      const ofSession =
        sessionId === null ? null : await findMark(transaction, toKey('sid', issuer, sessionId));
      const ofSubject = await findMark(transaction, toKey('sub', issuer, subject));
      if (ofSession !== null || (ofSubject !== null && ofSubject >= at)) return false;
      const { rows } = await transaction.run<{ readonly started_at: string }>(
        `select started_at from ${sessions} where account_id = ?`,
        [accountId],
      );
      const open = rows.map(({ started_at }) => started_at);
      for (const { key, started } of await find(transaction, accountId))
        if (!open.includes(started.startedAt)) await remove(transaction, key);
      await tokens.add(transaction, 'provider session', toTokenKey(createToken()), {
        accountId,
        data: { ...proved, startedAt: startedAt.toISOString() },
        lifetime: ROW_LIFE,
      });
      return true;
    },
    async end(transaction, { issuer, subject, sessionId, id, endsAt }) {
      if (!(await mark(transaction, toKey('jti', issuer, id), endsAt))) return null;
      const tomorrow = new Date(now().getTime() + DAY);
      if (sessionId !== null) await mark(transaction, toKey('sid', issuer, sessionId), tomorrow);
      else if (subject !== null) {
        await remove(transaction, toKey('sub', issuer, subject));
        await mark(transaction, toKey('sub', issuer, subject), tomorrow);
      }
      const isMeant = ({ started }: { readonly started: Started }) =>
        started.issuer === issuer &&
        (subject === null || started.subject === subject) &&
        // A session that the provider has not named may be the one.
        (sessionId === null ||
          started.sessionId === sessionId ||
          (subject !== null && started.sessionId === null));
      const owner = subject === null ? null : await identities.find(issuer, subject, transaction);
      if (subject !== null && owner === null) return [];
      const accounts = new Set(
        (await find(transaction, owner?.accountId ?? null))
          .filter(isMeant)
          .map(({ accountId }) => accountId),
      );
      if (owner !== null) accounts.add(owner.accountId);
      const ended: number[] = [];
      // In one order, so that two log-outs do not wait for each other.
      for (const accountId of [...accounts].sort((a, b) => a - b)) {
        await lock(transaction, accountId);
        const meant = (await find(transaction, accountId)).filter(isMeant);
        for (const { key, started } of meant) {
          await transaction.run(`delete from ${sessions} where account_id = ? and started_at = ?`, [
            accountId,
            started.startedAt,
          ]);
          await remove(transaction, key);
        }
        if (meant.length > 0) ended.push(accountId);
      }
      return ended;
    },
  };
}

function toKey(kind: 'jti' | 'sid' | 'sub', issuer: string, name: string): string {
  return toTokenKey(JSON.stringify(['provider log-out', kind, issuer, name]));
}

interface Row {
  readonly key: string;
  readonly account_id: number | bigint | string;
  readonly data: string;
}
