/**
 * What a site wants to know of its people besides a name and an address, such as what others call them. Its fields
 * stand in the form of the registration, and on a page of their own.
 */
import type { WriteTransaction } from '../database/database.ts';
import type { Fields, Form, FormError, FormText, PartialText } from '../form/define-form.ts';
import type { Account, AccountContext } from './account.ts';

/** What `accountProfile` returns: the types of its fields are checked there. */
export interface AccountProfile<Transaction, Extra = unknown> {
  readonly form: Form<Fields, unknown>;
  readonly title?: string | undefined;
  readonly message?: ((saved: SavedProfile<Transaction, unknown>) => string) | undefined;
  readonly fill: (
    context: AccountContext<Transaction, string, Extra>,
  ) => PartialText<FormText<Fields>>;
  readonly save: (saved: SavedProfile<Transaction, unknown>) => Promise<ProfileErrors | undefined>;
}

export interface SavedProfile<Transaction, Values> {
  readonly transaction: Transaction;
  /** The account, which may be new. */
  readonly account: Pick<Account, 'id' | 'username' | 'role'>;
  readonly values: Values;
}

type ProfileErrors = readonly (FormError<Fields> | UsernameError)[];

/** What is wrong with the name that one logs in with, such as one that looks like another person's. */
export interface UsernameError {
  readonly field: 'username';
  readonly message: string;
}

export interface ProfileOptions<Transaction, F extends Fields, V, Extra = unknown> {
  /** What the page of its own, and the link to it, is called: "Your details" by default. */
  readonly title?: string;
  /** What the page that follows says: "Your details were saved." by default. */
  readonly message?: (saved: SavedProfile<Transaction, V>) => string;
  /** What stands in the fields of somebody who is logged in. */
  readonly fill: (context: AccountContext<Transaction, string, Extra>) => PartialText<FormText<F>>;
  /**
   * Writes the values, in the transaction of the form. With errors, nothing is written, and no account is made. It may
   * run again when the database asks for it. An error of `username` stands at the field of the registration.
   */
  readonly save: (
    saved: SavedProfile<Transaction, V>,
  ) => Promise<readonly (FormError<F> | UsernameError)[] | undefined>;
}

/** The errors of a profile for a form without a field of the username: they are of the whole form there. */
export function withoutUsername(
  errors: readonly FormError<Fields>[],
): readonly FormError<Fields>[] {
  return errors.map((error) => (error.field === 'username' ? { ...error, field: null } : error));
}

/** For the option `profile` of `createAccounts`. */
export function accountProfile<
  F extends Fields,
  V,
  Transaction = WriteTransaction,
  Extra = unknown,
>(
  form: Form<F, V>,
  options: ProfileOptions<Transaction, F, V, Extra>,
): AccountProfile<Transaction, Extra> {
  // The types of the fields were checked by the signature.
  return { form, ...options } as unknown as AccountProfile<Transaction, Extra>;
}
