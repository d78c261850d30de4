/** What ends when somebody else may have had the password of an account, or when nobody may log in to it any more. */
import type { WriteTransaction } from '../database/database.ts';
import type { AccountParts } from './account-parts.ts';
import { ENDED_KINDS } from './account-tokens.ts';

/** The sessions but the one under the key, the links that were sent, and those that the account has made for others. */
export async function endAccess(
  { store, tokens }: Pick<AccountParts, 'store' | 'tokens'>,
  transaction: WriteTransaction,
  id: number,
  exceptKey?: string,
): Promise<void> {
  await store.endSessions(transaction, id, exceptKey);
  await tokens.remove(transaction, id, ENDED_KINDS);
  await tokens.removeMade(transaction, id);
}
