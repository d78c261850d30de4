/**
 * Ends sessions of an account after its password was checked. The check takes time, so the transaction checks again
 * that the password has not changed and that the session of the request is open. It locks the account, as a password
 * change does.
 */
import type { Database } from '../database/kysely.ts';
import { lockRows } from '../database/locks.ts';
import type { Account } from './account.ts';
import { isCurrent } from './account-version.ts';
import { deleteSessionsOf, isOpenSession } from './stores.ts';

/**
 * Ends the session under `ended`; with null, all but the one under `own`. Resolves to false and ends none if
 * the password has changed, or the session `own` has ended.
 */
export type EndSessions = (account: Account, own: string, ended: string | null) => Promise<boolean>;

export function createEndSessions(database: Database): EndSessions {
  return ({ id, version }, own, ended) =>
    database.write(async (transaction) => {
      await lockRows(transaction, 'accounts', [id]);
      if (!(await isCurrent(transaction, id, version))) return false;
      if (!(await isOpenSession(transaction, id, own))) return false;
      if (ended === null) await deleteSessionsOf(transaction, id, own);
      else
        await transaction
          .deleteFrom('sessions')
          .where('account_id', '=', id)
          .where('key', '=', ended)
          .execute();
      return true;
    });
}
