/** The passkeys of whose role needs a second factor are one, also if they were there before. */
import type { WriteTransaction } from '../database/database.ts';
import type { Account } from './account.ts';
import type { CheckedOptions } from './account-options.ts';
import type { AccountStore, Write } from './account-store.ts';
import type { AccountTokens } from './account-tokens.ts';

interface FactorParts {
  readonly options: CheckedOptions;
  readonly store: AccountStore;
}

/**
 * In a transaction with the account locked. The sessions end whose log-in may have proved the password alone, and the
 * links end that only the highest role makes.
 */
export async function changeRole(
  parts: FactorParts & { readonly tokens: AccountTokens },
  transaction: WriteTransaction,
  account: Account,
  role: string,
): Promise<void> {
  const { options, store, tokens } = parts;
  await store.change(transaction, account.id, { role }, true);
  if (role !== options.roles.at(-1)) await tokens.removeMade(transaction, account.id);
  if (await switchOnPasskeys(parts, transaction, { ...account, role }))
    await store.endSessions(transaction, account.id);
}

/** For a role that needs it only since the site says so. Call it before a log-in asks what it has to prove. */
export async function withNeededFactor(
  parts: FactorParts & { readonly write: Write },
  account: Account,
): Promise<Account> {
  if (!mayLack(parts, account)) return account;
  const isOn = await parts.write(async (transaction) => {
    const now = await parts.store.lock(transaction, account.id);
    return now !== null && (await switchOnPasskeys(parts, transaction, now));
  });
  return isOn ? { ...account, hasSecondFactor: true } : account;
}

function mayLack({ options }: FactorParts, { hasSecondFactor, role }: Account): boolean {
  return (
    options.passkeys !== undefined && !hasSecondFactor && options.secondFactorFor.includes(role)
  );
}

async function switchOnPasskeys(
  parts: FactorParts,
  transaction: WriteTransaction,
  account: Account,
): Promise<boolean> {
  const { store } = parts;
  if (!mayLack(parts, account) || !(await store.hasPasskey(transaction, account.id))) return false;
  await store.change(transaction, account.id, { second_factor: 1 });
  return true;
}
