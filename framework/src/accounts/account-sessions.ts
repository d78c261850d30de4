/**
 * The sessions of accounts. They are read with the row of the account, so a role that changes counts with the next
 * request. What a log-in has proved is written in the transaction that stores its session.
 */
import type { WriteTransaction } from '../database/database.ts';
import type { SessionTable } from '../database/session-store.ts';
import type { Session } from '../session/session.ts';
import { toTokenKey } from '../session/token.ts';
import type { AccountUser } from './account.ts';
import type { AccountParts } from './account-parts.ts';
import { accountStatements, TABLES } from './account-tables.ts';
import { toUser, userColumns } from './account-user.ts';
import { mayStart } from './log-in.ts';
import type { ProviderSessions } from './provider-sessions.ts';

export interface AccountSessions {
  /** For `createStores`. */
  readonly table: SessionTable<AccountUser, WriteTransaction>;
  /** Whether the browser was trusted in place of the second factor. */
  readonly isTrusted: (session: Session<AccountUser>) => Promise<boolean>;
}

export function createAccountSessions({
  engine,
  options,
  store,
  tokens,
  events,
  providers,
}: Pick<AccountParts, 'options' | 'store' | 'tokens' | 'events'> & {
  readonly engine: 'sqlite' | 'postgres';
  readonly providers: ProviderSessions;
}): AccountSessions {
  const { tables = null, recent } = options;
  const { accounts, sessions } = tables ?? TABLES;
  return {
    table: {
      table: sessions,
      create: accountStatements(engine, tables),
      userId: 'account_id',
      users: accounts,
      columns: userColumns(options),
      toUser: (row) => toUser(options, row),
      async admit(transaction, session) {
        const account = await store.find({ id: session.user.id }, transaction);
        if (!mayStart(account, session.user)) return false;
        const { id: accountId } = account;
        const { told = [], proved = '', isTrusted, provider } = session.user.started ?? {};
        if (isTrusted) {
          const key = toTrustedKey(session);
          await tokens.takeKey(transaction, 'trusted log-in', key, accountId);
          await tokens.add(transaction, 'trusted log-in', key, { accountId, lifetime: recent });
        }
        const opened = { accountId, startedAt: session.startedAt };
        if (provider !== undefined && !(await providers.add(transaction, opened, provider)))
          return false;
        await events.setTold(transaction, told);
        const event = { account, kind: 'logged in', detail: proved, request: session } as const;
        await events.add(transaction, event);
        return true;
      },
    },
    isTrusted: async (session) =>
      (await tokens.findKey('trusted log-in', toTrustedKey(session))) !== null,
  };
}

/** A new id of the session does not change it. */
function toTrustedKey({ startedAt, user }: Session<AccountUser>): string {
  return toTokenKey(`trusted log-in ${user.id} ${startedAt.toISOString()}`);
}
