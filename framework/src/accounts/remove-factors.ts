/** What takes a second factor away, with all that is of use only beside one. */
import type { AccountParts } from './account-parts.ts';
import type { AccountPasskeys } from './account-passkeys.ts';

export function createRemoveFactors({
  options,
  store,
  tokens,
  passkeys,
}: Pick<AccountParts, 'options' | 'store' | 'tokens'> & {
  readonly passkeys: AccountPasskeys;
}): Pick<AccountParts, 'removeCodes' | 'removeFactors'> {
  const removeCodes: AccountParts['removeCodes'] = async (transaction, { id, role }) => {
    // Of a role that needs a second factor, the passkeys go on to be one.
    const stays =
      options.secondFactorFor.includes(role) && (await passkeys.list(id, transaction)).length > 0;
    const columns = { totp: null, totp_step: 0, second_factor: stays ? 1 : 0 } as const;
    await store.change(transaction, id, columns, true);
    await tokens.remove(transaction, id, ['trusted browser', 'second factor', 'repeat']);
    if (!stays) await tokens.remove(transaction, id, ['recovery code']);
  };
  return {
    removeCodes,
    async removeFactors(transaction, account) {
      const { hasSecondFactor, id, totp } = account;
      const known = await passkeys.list(id, transaction);
      if (!hasSecondFactor && totp === null && known.length === 0) return false;
      await passkeys.removeAll(transaction, id);
      await removeCodes(transaction, account);
      return true;
    },
  };
}
