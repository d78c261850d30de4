/** What the pages of accounts share. */
import type { WriteTransaction } from '../database/database.ts';
import type { Request } from '../http/request.ts';
import type { Session } from '../session/session.ts';
import type { Account, AccountContext, AccountUser } from './account.ts';
import type { AccountEvents, NewEvent } from './account-events.ts';
import type { CheckedOptions } from './account-options.ts';
import type { AccountStore, Write } from './account-store.ts';
import type { AccountTokens } from './account-tokens.ts';
import type { People } from './account-user.ts';
import type { Guard } from './guards.ts';
import type { LogIn } from './log-in.ts';
import type { NewPasswords } from './new-password.ts';
import type { PasskeyWays } from './passkey-ways.ts';
import type { Registration } from './registration.ts';
import type { Seal } from './seal.ts';
import type { AttemptKind } from './throttle.ts';
import type { HasWayIn } from './ways-in.ts';

export interface AccountParts {
  readonly options: CheckedOptions;
  readonly store: AccountStore;
  readonly people: People;
  readonly tokens: AccountTokens;
  readonly events: AccountEvents;
  readonly logIn: LogIn;
  readonly registration: Registration;
  readonly write: Write;
  /** Writes one event, in a transaction of its own. */
  readonly note: (event: NewEvent) => Promise<void>;
  /**
   * Writes the event, and the mail that tells the user of it, in the transaction.
   */
  readonly tell: (
    transaction: WriteTransaction,
    request: Request,
    account: Pick<Account, 'id' | 'username' | 'email'>,
    event: Pick<NewEvent, 'kind' | 'detail' | 'by'>,
  ) => Promise<void>;
  /** Null if the name or the password is wrong. Throws a 429 after too many attempts, and a 503 if too many wait. */
  readonly checkPassword: (
    request: Request,
    typed: string,
    password: string,
  ) => Promise<Account | null>;
  /** The hash of a new password, in the queue of all hashes. */
  readonly hash: (password: string) => Promise<string>;
  readonly newPasswords: NewPasswords;
  /** Runs the check of another proof, which counts as a failed attempt if it resolves to null. */
  readonly attempt: <T>(
    request: Request,
    kind: AttemptKind,
    account: Account,
    check: () => Promise<T | null>,
  ) => Promise<T | null>;
  /** The same for a passkey of nobody known: it counts for the network alone. */
  readonly attemptPasskey: <T>(
    request: Request,
    check: () => Promise<T | null>,
  ) => Promise<T | null>;
  /** Forgets the failed attempts of the account. */
  readonly forgetAttempts: (transaction: WriteTransaction, account: Account) => Promise<void>;
  /** The `check` of a form that sends a mail: throws a 429 after too many. */
  readonly countMail: (context: {
    readonly request: Request;
    readonly values: { readonly email?: string | null };
  }) => Promise<readonly never[]>;
  /** Throws a 429 after too many registrations without an invitation. */
  readonly countRegistration: (request: Request, username: string) => Promise<void>;
  /** Refuses a session whose log-in is too old: behind `requireSession`. */
  readonly requireRecent: Guard;
  /** Lets through the last one of the roles. */
  readonly requireHighest: Guard;
  /** Lets through those who see the page of all people. */
  readonly requireSeen: Guard;
  /**
   * Removes all that is a second factor, passkeys too, and the browsers that are not asked for one. False, and nothing
   * is changed, if there is none.
   */
  readonly removeFactors: (transaction: WriteTransaction, account: Account) => Promise<boolean>;
  /** Removes the one-time codes alone. */
  readonly removeCodes: (transaction: WriteTransaction, account: Account) => Promise<void>;
  readonly hasWayIn: HasWayIn;
  /** Null if the site has none. */
  readonly passkeys: PasskeyWays | null;
  readonly seal: Seal;
  readonly sessions: {
    readonly list: (id: number, now: Date) => Promise<readonly Session<AccountUser>[]>;
  };
}

/** The pages of accounts know no more of a transaction than that it runs statements. */
export type PageContext = AccountContext<WriteTransaction>;
/** Behind `requireSession`. */
export type UserContext = PageContext & { readonly session: Session<AccountUser> };
