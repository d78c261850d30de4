/** The stores of the site on a database, for tests without pages. */
import { openAccounts } from '../accounts/accounts.ts';
import type { Database } from '../database/kysely.ts';
import { readConfig } from '../settings/config.ts';
import type { SessionUser } from '../site/session-user.ts';

export function openTestStores(database: Pick<Database, 'door' | 'write'>) {
  const config = readConfig({});
  const nobody = {
    people: { administrators: async () => [] },
    findHeld: async () => ({ items: [] }),
  };
  const parts = { config, logSecurity: () => {}, ...nobody };
  return openAccounts(database, parts).stores;
}

/** A user of a session, as a log-in checks it. */
export function toTestUser(id: number, name: string): SessionUser {
  return { id, name, role: 'member', email: null, hasSecondFactor: false, version: '1' };
}
