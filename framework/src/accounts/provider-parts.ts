/** What the pages of company accounts share. */
import type { WriteTransaction } from '../database/database.ts';
import type { Table } from '../database/tables.ts';
import { originOf } from './account-options.ts';
import type { AccountParts } from './account-parts.ts';
import { TABLES } from './account-tables.ts';
import { createIdentities, type Identities } from './identities.ts';
import { createProviderAccounts, type ProviderAccounts } from './provider-accounts.ts';
import { pathOf } from './provider-buttons.ts';
import { createProviderSessions, type ProviderSessions } from './provider-sessions.ts';
import { createProviderSignIns, type ProviderSignIns } from './provider-sign-in.ts';

export interface ProviderParts {
  readonly identities: Identities;
  readonly sessions: ProviderSessions;
  readonly signIns: ProviderSignIns;
  readonly accounts: ProviderAccounts;
}

/** Each provider has an address of its own to come back to: so no provider gets the code of another. */
export function createProviderParts(
  parts: Pick<AccountParts, 'options' | 'store' | 'tokens' | 'write' | 'tell'>,
  table: Table<WriteTransaction>,
): ProviderParts {
  const { options, store, tokens, write } = parts;
  const identities = createIdentities(table, options.now);
  return {
    identities,
    sessions: createProviderSessions({
      ...{ tokens, identities, lock: store.lock, now: options.now },
      sessions: options.tables?.sessions ?? TABLES.sessions,
    }),
    signIns: createProviderSignIns({
      tokens,
      write,
      now: options.now,
      redirectUri: (request, provider) => `${originOf(options, request)}${pathOf(provider)}/return`,
    }),
    accounts: createProviderAccounts({ ...parts, identities }),
  };
}
