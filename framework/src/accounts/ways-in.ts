/** The ways in to an account: of what a user removes, the last one stays. */
import type { WriteTransaction } from '../database/database.ts';
import type { Account } from './account.ts';
import type { CheckedOptions } from './account-options.ts';
import type { AccountPasskeys } from './account-passkeys.ts';
import type { Identities } from './identities.ts';
import { text } from './say.ts';

/** What a form answers that has removed the last way in: the answer rolls the removal back. */
export const LAST_WAY_IN: {
  readonly errors: readonly [{ readonly field: null; readonly message: string }];
  readonly status: 409;
} = {
  errors: [
    { field: null, message: text('This is your only way to log in. Add another one first') },
  ],
  status: 409,
};

/** Whether anything that the site has now logs in to the account: ask after the removal, in its transaction. */
export type HasWayIn = (transaction: WriteTransaction, account: Account) => Promise<boolean>;

export function createHasWayIn({
  options,
  identities,
  passkeys,
}: {
  readonly options: CheckedOptions;
  readonly identities: Pick<Identities, 'list'>;
  readonly passkeys: Pick<AccountPasskeys, 'list'>;
}): HasWayIn {
  const { mail, without, providers } = options;
  const sendsLinks = mail !== undefined && !without.includes('logInByMail');
  return async (transaction, { id, email, passwordHash }) => {
    if (passwordHash !== null || (email !== null && sendsLinks)) return true;
    const hasPasskey =
      options.passkeys !== undefined && (await passkeys.list(id, transaction)).length > 0;
    if (hasPasskey) return true;
    const linked = await identities.list(id, transaction);
    return linked.some((one) => providers.some(({ issuer }) => issuer === one.issuer));
  };
}
