/** What an account is to the rest of the framework: a row of the table, and the user of its sessions. */

import { toNfc } from '../field/normalize-text.ts';
import type { AnyFilledForm } from '../form/define-form.ts';
import type { SessionUser } from '../session/session.ts';
import type { SiteContext } from '../site/create-site.ts';
import type { ProvedByProvider } from './provider-sessions.ts';

/** The user of a session, read with each request: a role that is taken away is gone at once. */
export interface AccountUser<Role extends string = string> extends SessionUser {
  readonly id: number;
  readonly role: Role;
  /** Null until the address is confirmed. */
  readonly email: string | null;
  readonly hasSecondFactor: boolean;
  /** What the user has to do before anything else. */
  readonly must?: Duty;
  /** Only in the user that `startSession` gets. */
  readonly started?: StartedLogIn;
}

/** What the start of a session writes. */
export interface StartedLogIn {
  /** The events that the next page tells of. */
  readonly told: readonly number[];
  /** Such as `password, second factor`. */
  readonly proved: string;
  /** Whether the browser was trusted instead of the second factor: such a log-in never counts as recent. */
  readonly isTrusted: boolean;
  readonly provider?: ProvedByProvider | undefined;
}

/** An administrator has given a password, or the role needs a second factor. */
export type Duty = 'choose a password' | 'add a second factor';

/** The context of the pages of accounts. `form` is that of a page with one: `formTitle(title, form)`. */
export type AccountContext<
  Transaction = unknown,
  Role extends string = string,
  Extra = unknown,
> = SiteContext<Transaction, AccountUser<Role> & Extra> & { readonly form?: AnyFilledForm };

export interface Account<Role extends string = string> {
  readonly id: number;
  readonly username: string;
  readonly email: string | null;
  /** Null for an account that logs in only in other ways. */
  readonly passwordHash: string | null;
  /** When a password that an administrator has given expires. */
  readonly passwordEndsAt: Date | null;
  readonly role: Role;
  /** Counts up with each change of what one logs in with: a log-in that was checked before is refused. */
  readonly version: number;
  readonly disabledAt: Date | null;
  /** Random, for passkeys: what a browser stores as the user, and nothing of the person. */
  readonly handle: string;
  /** The sealed secret of one-time codes. */
  readonly totp: string | null;
  /** The last step of time whose code was used. */
  readonly totpStep: number;
  readonly hasSecondFactor: boolean;
}

/** Whether somebody can log in to it now. */
export function isUsable({ disabledAt }: Pick<Account, 'disabledAt'>): boolean {
  return disabledAt === null;
}

/** Usernames and addresses differ in more than case. */
export function toNameKey(name: string): string {
  return toNfc(name).toLowerCase();
}

export function toAccountUser<Role extends string>(account: Account<Role>): AccountUser<Role> {
  const { id, username: name, role, email, version, hasSecondFactor } = account;
  return { id, name, role, email, version: String(version), hasSecondFactor };
}
