/** The options of `createAccounts`. Each way of logging in, and each page, can be left out or drawn anew. */
import type { StoreOptions } from '../database/create-stores.ts';
import type { Value, WriteTransaction } from '../database/database.ts';
import {
  COUNT,
  checkOptions,
  FLAG,
  FUNCTION,
  LIST,
  needed,
  OBJECT,
  type OptionKinds,
  oneOf,
  or,
  TEXT,
} from '../http/check-options.ts';
import type { Href } from '../http/href.ts';
import type { Html } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import type { Provider } from '../openid/provider.ts';
import type { Passkeys } from '../passkeys/passkeys.ts';
import type { Totp } from '../totp/totp.ts';
import type { AccountContext, AccountUser } from './account.ts';
import { type AccountEvent, warnOfErrors } from './account-events.ts';
import type { AccountProfile } from './account-profile.ts';
import type { OwnTables } from './account-tables.ts';
import type { NewPasswordOptions } from './new-password.ts';
import type { PasswordOptions } from './passwords.ts';

/** A mail to write: the site sends it, best by a job of its outbox. */
export interface AccountMail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** The pages that can be drawn anew. */
export const ACCOUNT_PAGES = [
  'logIn',
  'logInByMail',
  'confirmLogIn',
  'secondFactor',
  'recoveryCode',
  'register',
  'registrationClosed',
  'otherAccount',
  'forgotPassword',
  'newPassword',
  'linkGone',
  'mailSent',
  'account',
  'changePassword',
  'profile',
  'changeAddress',
  'confirmAddress',
  'provider',
  'providers',
  'addCodes',
  'recoveryCodes',
  'passkeys',
  'devices',
  'deleteAccount',
  'people',
  'person',
] as const;
export type AccountPage = (typeof ACCOUNT_PAGES)[number];

/** Somebody with an account, as the page of a person shows them. */
export interface ShownPerson<Role extends string = string, Extra = unknown> {
  readonly id: number;
  readonly username: string;
  readonly email: string | null;
  readonly role: Role;
  readonly createdAt: Date;
  /** Null for somebody who can log in. */
  readonly disabledAt: Date | null;
  /** With the columns of the option `user`. */
  readonly user: AccountUser<Role> & Extra;
}

/** What a page of one's own gets: draw `main`, or parts of it, in any HTML. */
export type ShownAccountPage<
  Transaction,
  Role extends string = string,
  Extra = unknown,
> = AccountContext<Transaction, Role, Extra> & {
  readonly title: string;
  /** All that stands below the title: sentences, the form, links. */
  readonly main: Html;
  /** The form alone, with its errors and its button; null on a page without one. */
  readonly formHtml: Html | null;
  /** Whom the page `person` shows; null on other pages. */
  readonly person: ShownPerson<Role, Extra> | null;
};

/** What may be left out: its pages do not exist then. */
export const ACCOUNT_PARTS = [
  'people',
  'devices',
  'delete',
  'logInByMail',
  'changeAddress',
] as const;
export type AccountPart = (typeof ACCOUNT_PARTS)[number];

/** What `accountUser` returns. */
export interface UserColumns<Extra> {
  readonly columns: readonly string[];
  readonly toUser: (row: Readonly<Record<string, Value>>) => Extra;
}

/**
 * For the option `user` of `createAccounts`: columns of a table of one's own, and what they are on the user. A function
 * of its own, so that the compiler knows the user before it reads the other options.
 */
export function accountUser<Extra>(
  columns: readonly string[],
  toUser: (row: Readonly<Record<string, Value>>) => Extra,
): UserColumns<Extra> {
  return { columns, toUser };
}

/** What pages call a role. The texts of a language translate them. */
interface RoleTexts {
  readonly name: string;
  readonly choice?: string;
}

/** A company's sign-in: `openId({ … })` of `seeother/openid`, or `{ ...openId({ … }), register: true }`. */
export interface AccountProvider extends Provider {
  /**
   * Whether everybody whom the provider lets in gets an account. By default so with `registration: 'open'`; otherwise
   * it takes an invitation. Without one, or `open`, the first account of a site is never made so.
   */
  readonly register?: boolean;
}

/** The options of `createAccounts`. */
export interface AccountOptions<
  Transaction extends WriteTransaction,
  Role extends string = string,
  Extra = unknown,
> {
  /** The frame of the pages: the title is its heading. That of `errors.layout` has the same parameters. */
  readonly layout: (
    title: string,
    main: Html,
    context: AccountContext<Transaction, Role, Extra>,
  ) => Html;
  /** The name of the site, in mails and in the apps of second factors. By default the host. */
  readonly name?: string;
  /** As that of `createSite`: it stands in the links of mails. Without it, they work on localhost alone. */
  readonly publicOrigin?: string | null;
  /** From the least to the most: `['member', 'admin']` by default. The first account has the last one. */
  readonly roles?: readonly Role[];
  /**
   * Of who registers without an invitation, and of an invitation for which none is chosen: the first one by default.
   * Somebody from a provider has the first one until a claim or an administrator gives another.
   */
  readonly defaultRole?: NoInfer<Role>;
  /**
   * `first`, the default: without an invitation until there is one account. `invitation`: never without one. `open`:
   * everybody may register.
   */
  readonly registration?: 'first' | 'invitation' | 'open';
  /** What people log in with. With `email`, an address is confirmed before there is an account. */
  readonly names?: 'username' | 'email';
  /** Writes a mail in the transaction: `(transaction, mail) => outbox.afterCommit.mail(transaction, mail)`. */
  readonly mail?: (transaction: Transaction, mail: AccountMail) => Promise<unknown>;
  /**
   * Whether the whole site is for users: a visitor opens the log-in, what belongs to it, and `openRoutes`. Files of
   * `createSite` stay open.
   */
  readonly private?: boolean;
  /**
   * Patterns of routes, such as `/help` and `/healthz`, that need no session with `private`, and that a user may open
   * who has to do something first.
   */
  readonly openRoutes?: readonly string[];
  /** The path after a log-in that nothing else has led to; `/` by default. */
  readonly home?: Href;
  /** How new passwords are hashed, and which are refused. The name of the site is refused, too. */
  readonly passwords?: {
    readonly hashes?: PasswordOptions;
    readonly accepted?: NewPasswordOptions;
  };
  /** One-time codes as a second factor: `totp()` of `seeother/totp`. */
  readonly totp?: Totp;
  /** Passkeys, alone and behind a password: `passkeys({ name: 'Chess club' })` of `seeother/passkeys`. */
  readonly passkeys?: Passkeys;
  /** Companies whose people sign in with their account there. */
  readonly providers?: readonly AccountProvider[];
  /**
   * Seals the secrets of one-time codes in the database: at least 32 random characters that are stored elsewhere. A
   * list seals with the first, and opens with each; null opens what was stored without one.
   */
  readonly secrets?: string | readonly (string | null)[];
  /** Users with these roles add a second factor before they can do anything else. */
  readonly secondFactorFor?: readonly NoInfer<Role>[];
  /**
   * Tables of the site's own, which it creates: that of accounts has the columns of `seeother_accounts`, and may have
   * more; see the guide. By default all are created when they are first used.
   */
  readonly tables?: OwnTables & {
    /** With the columns of `seeother_account_devices`. */
    readonly devices?: string;
    /** With the columns of `seeother_failed_attempts`. */
    readonly attempts?: string;
    /** The id of a new account, for a table that does not count by itself. */
    readonly nextId?: (transaction: Transaction) => Promise<number>;
  };
  /** More of `session.user`, read with each request: `accountUser(columns, toUser)`. */
  readonly user?: UserColumns<Extra>;
  /** What the site wants to know of people: `accountProfile(form, { fill, save })`. */
  readonly profile?: AccountProfile<Transaction, Extra>;
  /** Who sees the page of all people, and what pages call them. */
  readonly people?: {
    /**
     * Users with this role, or one behind it, see the names and roles of those who can log in. By default, and for all
     * else, it takes the last one of the roles.
     */
    readonly seenBy?: NoInfer<Role>;
    /** The name of a person on pages, from the columns of `user`; by default the username. */
    readonly name?: (user: AccountUser<Role> & Extra) => string;
    /** What pages call each role. `choice` stands in forms, such as `Editor: can change plans`; by default the name. */
    readonly roles?: { readonly [R in NoInfer<Role>]: RoleTexts };
  };
  /** As that of `createStores`, but for the sessions. */
  readonly stores?: Omit<StoreOptions<AccountUser<Role> & Extra, Transaction>, 'sessions'>;
  /** Of the times that pages show, such as `Europe/Berlin`: UTC by default. Recent ones are relative, too. */
  readonly timeZone?: string;
  /** How pages write a time: by default with the language of the request, in `timeZone`. */
  readonly formatTime?: (at: Date) => string;
  /** Minutes for which a log-in is recent: 10 by default. See `requireRecent`. */
  readonly recent?: number;
  /** Parts that the site does not have: their pages are not there. */
  readonly without?: readonly AccountPart[];
  /** Pages of one's own, each in place of one. */
  readonly pages?: {
    readonly [Page in AccountPage]?: (
      page: ShownAccountPage<Transaction, Role, Extra>,
    ) => Html | Promise<Html>;
  };
  /** Runs in the transaction that deletes an account: for what your own tables have of it. */
  readonly onDelete?: (transaction: Transaction, id: number) => Promise<unknown>;
  /** Runs in the transaction that disables an account: for what its user may no longer have. */
  readonly onDisable?: (transaction: Transaction, id: number) => Promise<unknown>;
  /** The answer to a user whose role is too low, here and at `requireRole`: an error page by default. */
  readonly refuseRole?: (
    context: AccountContext<Transaction, Role, Extra>,
    needed: Role,
  ) => Response | Promise<Response>;
  /** Days after which an event leaves the security log: 365 by default. */
  readonly keepEvents?: number;
  /**
   * Told of each event of the security log, after its commit: for the lines of your own log. An error of it is a
   * warning of the process, and undoes nothing.
   */
  readonly onEvent?: (event: AccountEvent) => void;
  /** The clock, for tests. */
  readonly now?: () => Date;
}

const ACCOUNT_KINDS: OptionKinds<AccountOptions<WriteTransaction, string>> = {
  layout: needed(FUNCTION, '(title, main, context) => html`…`'),
  name: TEXT,
  publicOrigin: or(TEXT, null),
  roles: LIST,
  defaultRole: TEXT,
  registration: oneOf('first', 'invitation', 'open'),
  names: oneOf('username', 'email'),
  mail: FUNCTION,
  private: FLAG,
  openRoutes: LIST,
  home: TEXT,
  passwords: OBJECT,
  totp: OBJECT,
  passkeys: OBJECT,
  providers: LIST,
  secrets: {
    noun: 'a text, or a list of them',
    accepts: (value) => TEXT.accepts(value) || LIST.accepts(value),
  },
  secondFactorFor: LIST,
  tables: OBJECT,
  user: OBJECT,
  profile: OBJECT,
  people: OBJECT,
  stores: OBJECT,
  timeZone: TEXT,
  formatTime: FUNCTION,
  recent: COUNT,
  without: LIST,
  pages: OBJECT,
  refuseRole: FUNCTION,
  onDelete: FUNCTION,
  onDisable: FUNCTION,
  keepEvents: COUNT,
  onEvent: FUNCTION,
  now: FUNCTION,
};

/** The options with their defaults. The pages know no more of a transaction and of a role than that there is one. */
export interface CheckedOptions extends AccountOptions<WriteTransaction, string> {
  readonly roles: readonly string[];
  readonly defaultRole: string;
  readonly names: 'username' | 'email';
  readonly registration: 'first' | 'invitation' | 'open';
  readonly private: boolean;
  readonly openRoutes: readonly string[];
  readonly home: Href;
  /** Milliseconds. */
  readonly recent: number;
  readonly keepEvents: number;
  /** Never throws. */
  readonly onEvent: (event: AccountEvent) => void;
  readonly secondFactorFor: readonly string[];
  readonly people: {
    readonly seenBy: string;
    readonly name: (user: AccountUser) => string;
    /** Whether the site has a name of its own for people. */
    readonly isNamed: boolean;
    /** The name of a role, or its choice in a form. */
    readonly roleText: (role: string, kind?: keyof RoleTexts) => string;
  };
  readonly without: readonly AccountPart[];
  readonly providers: readonly AccountProvider[];
  readonly publicOrigin: string | null;
  readonly timeZone: string;
  readonly now: () => Date;
}

/** Adds the defaults. Throws a `TypeError` for options that no site can use. */
export function checkAccountOptions<
  Transaction extends WriteTransaction,
  Role extends string,
  Extra,
>(given: AccountOptions<Transaction, Role, Extra>): CheckedOptions {
  checkOptions('createAccounts', given, ACCOUNT_KINDS as never);
  const options = given as unknown as AccountOptions<WriteTransaction, string>;
  const { roles = ['member', 'admin'], names = 'username', secondFactorFor = [] } = options;
  if (roles.length === 0 || new Set(roles).size < roles.length) {
    throw new TypeError(
      `Cannot create accounts with the roles ${JSON.stringify(roles)}: name each once, from the least to the most, such as roles: ['member', 'admin'].`,
    );
  }
  if (names === 'email' && options.mail === undefined) {
    throw new TypeError(
      "Cannot create accounts that log in with an address, and without mails: nothing proves whose it is. Pass mail, or names: 'username'.",
    );
  }
  const highest = roles.at(-1) ?? '';
  const { seenBy = highest, name = null } = options.people ?? {};
  const { defaultRole = roles[0] ?? '' } = options;
  const { roles: texts = {} } = options.people ?? {};
  checkNames('people.seenBy', [seenBy], roles);
  checkNames('defaultRole', [defaultRole], roles);
  checkNames('people.roles', Object.keys(texts), roles);
  const roleText = (role: string, kind: keyof RoleTexts = 'name') =>
    texts[role]?.[kind] ?? texts[role]?.name ?? role;
  if (names === 'email' && seenBy !== highest && options.people?.name === undefined) {
    throw new TypeError(
      `Cannot show the people to each ${seenBy}: the accounts log in with an address, so everybody's would be seen. Pass people.name, too.`,
    );
  }
  checkNames('without', options.without ?? [], ACCOUNT_PARTS);
  checkNames('pages', Object.keys(options.pages ?? {}), ACCOUNT_PAGES);
  const { publicOrigin = null, passkeys } = options;
  if (publicOrigin?.startsWith('https:') && passkeys?.isPossibleAt(publicOrigin) === false) {
    throw new TypeError(
      `Cannot use these passkeys at ${publicOrigin}: browsers have them for names, not for IP addresses, and for the domain of passkeys({ id }) and below.`,
    );
  }
  return {
    ...options,
    roles,
    defaultRole,
    names,
    secondFactorFor,
    people: { seenBy, name: name ?? ((user) => user.name), isNamed: name !== null, roleText },
    registration: options.registration ?? 'first',
    private: options.private ?? false,
    openRoutes: checkPatterns(options.openRoutes ?? []),
    home: options.home ?? ('/' as Href),
    recent: (options.recent ?? 10) * 60_000,
    keepEvents: options.keepEvents ?? 365,
    onEvent: warnOfErrors(options.onEvent),
    without: options.without ?? [],
    providers: checkProviders(options.providers ?? []),
    publicOrigin,
    timeZone: checkTimeZone(options.timeZone ?? 'UTC'),
    now: options.now ?? (() => new Date()),
  };
}

/** A misspelled name would leave a page there, or its own one unused. */
function checkNames(option: string, names: readonly string[], known: readonly string[]): void {
  const wrong = names.find((name) => !known.includes(name));
  if (wrong === undefined) return;
  throw new TypeError(
    `Cannot create accounts with ${option}: ${JSON.stringify(wrong)}: pass some of ${known.join(', ')}.`,
  );
}

function checkPatterns(patterns: readonly string[]): readonly string[] {
  const wrong = patterns.find((one) => typeof one !== 'string' || !one.startsWith('/'));
  if (wrong === undefined) return patterns;
  throw new TypeError(
    `Cannot open the route ${JSON.stringify(wrong)} to visitors: pass its pattern, such as '/help', without a method.`,
  );
}

function checkTimeZone(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch (cause) {
    throw new TypeError(
      `Cannot show times of accounts in the time zone ${JSON.stringify(timeZone)}: there is none of this name. Pass one such as 'Europe/Berlin'.`,
      { cause },
    );
  }
}

/** Two with one id would get each other's answers. */
function checkProviders(providers: readonly AccountProvider[]): readonly AccountProvider[] {
  const ids = providers.map((one) => one?.id);
  if (new Set(ids).size < ids.length || providers.some((one) => typeof one?.begin !== 'function')) {
    throw new TypeError(
      `Cannot create accounts with the providers ${JSON.stringify(ids)}: pass values of openId(…), each with an id of its own.`,
    );
  }
  return providers;
}

/** The origin of links. Without `publicOrigin`, it is what the client says: not for a mail to somebody else. */
export function originOf(options: Pick<CheckedOptions, 'publicOrigin'>, request: Request): string {
  return options.publicOrigin ?? `${request.scheme}://${request.headers['host'] ?? 'localhost'}`;
}
