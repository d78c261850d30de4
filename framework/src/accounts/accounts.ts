/**
 * Accounts: who may log in to a site, and how. One value has the stores of the site, its guards, and its pages. It is
 * made of what every site has: forms, sessions, receipts, and a database.
 */
import type { Context } from '../chain/context.ts';
import { createStores } from '../database/create-stores.ts';
import type { Database, WriteTransaction } from '../database/database.ts';
import type { BrowserScript } from '../http/browser-script.ts';
import type { Html } from '../http/html.ts';
import { passkeyScript } from '../passkeys/passkey-script.ts';
import type { Router } from '../router/router.ts';
import type { AccountContext, AccountUser } from './account.ts';
import { invite, runAccountCommand } from './account-command.ts';
import { createAccountEvents } from './account-events.ts';
import { createReports } from './account-mail.ts';
import { type AccountOptions, checkAccountOptions } from './account-options.ts';
import { addAccountPages } from './account-pages.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import { createAccountPasskeys } from './account-passkeys.ts';
import type { AccountRoutes } from './account-routes.ts';
import { createAccountSessions } from './account-sessions.ts';
import { createAccountStore } from './account-store.ts';
import { createAccountTokens } from './account-tokens.ts';
import { createPeople } from './account-user.ts';
import { createChecks } from './checks.ts';
import { createDevices } from './devices.ts';
import {
  createRequireDuties,
  createRequireRecent,
  createRequireRole,
  createRequireUser,
  type Guard,
} from './guards.ts';
import { addLinkedProviderPages } from './linked-provider-pages.ts';
import { createLogIn } from './log-in.ts';
import { drawLogInInPlace, keepsDraft } from './log-in-form.ts';
import { addLogInPages } from './log-in-pages.ts';
import { addMailPages } from './mail-pages.ts';
import { createNewPasswords } from './new-password.ts';
import { addOneTimeCodePages } from './one-time-code-pages.ts';
import { openTables } from './open-tables.ts';
import { addPasskeyLogIn } from './passkey-log-in.ts';
import { addPasskeyPages } from './passkey-pages.ts';
import { createPasskeyQuestions } from './passkey-questions.ts';
import { createPasskeyWays } from './passkey-ways.ts';
import { addPasswordPages } from './password-pages.ts';
import { addPeoplePages } from './people-pages.ts';
import { addProviderLogOut } from './provider-log-out.ts';
import { addProviderPages } from './provider-pages.ts';
import { createProviderParts } from './provider-parts.ts';
import { createRegistration } from './registration.ts';
import { addRegistrationPages } from './registration-pages.ts';
import { createRemoveFactors } from './remove-factors.ts';
import { speakOfAccounts } from './say.ts';
import { createSeal } from './seal.ts';
import { addSecondFactorPages } from './second-factor-pages.ts';
import { createHasWayIn } from './ways-in.ts';

/** What `createAccounts` returns. */
export interface Accounts<Transaction, Role extends string = string, Extra = unknown> {
  /** For `createSite`. */
  readonly stores: ReturnType<
    typeof createStores<AccountUser<Role> & Extra, Transaction & WriteTransaction>
  > & {
    /** Those of passkeys. */
    readonly scripts: readonly BrowserScript[];
  };
  /** Adds the pages, before the routes of the site: `accounts.addTo(createSite(accounts.stores))`. */
  readonly addTo: <C extends AccountContext<Transaction, Role, Extra>, Names extends string>(
    router: Router<C, Names>,
  ) => Router<C, Names | AccountRoutes>;
  /** A middleware for users with this role, or with one behind it in `roles`. */
  readonly requireRole: (role: Role) => Guard<Role, Extra>;
  /** A middleware for what is dangerous: whose log-in is not recent logs in again, and comes back. */
  readonly requireRecent: Guard<Role, Extra>;
  /**
   * For every error page of one's own: the log-in form, which carries the form that was sent without a session, and
   * fills it in afterwards. It is empty where no log-in helps, and the link to a duty that comes first.
   */
  readonly logInForm: (context: Context) => Promise<Html>;
  /** Whether the form of `logInForm` carries what was typed. */
  readonly keepsDraft: (context: Context) => Promise<boolean>;
  /** Makes an invitation, for a program: resolves to the path of its link, which works once, for seven days. */
  readonly invite: (role: Role) => Promise<string>;
  /**
   * A command of a terminal, such as `['invite', 'admin']`: also `password`, `factors`, `disable` and `enable` with a
   * username or an address, and `role` with one and a role. Resolves to the text to print; rejects with what is wrong.
   */
  readonly command: (words: readonly string[]) => Promise<string>;
}

/** The accounts of a database, in tables that are created when they are first used. */
export function createAccounts<
  Transaction extends WriteTransaction = WriteTransaction,
  const Role extends string = 'member' | 'admin',
  Extra = unknown,
>(
  database: Database<Transaction>,
  given: AccountOptions<Transaction, Role, Extra>,
): Accounts<Transaction, Role, Extra> {
  // The parts know no more of a transaction and of a role than that there is one.
  const options = checkAccountOptions(given as unknown as AccountOptions<WriteTransaction, string>);
  const anyDatabase = database as unknown as Database;
  const { engine } = database;
  const { now, roles, tables: own = null } = options;
  const { table, write } = openTables(anyDatabase, options);
  const store = createAccountStore(engine, table, now, own);
  const tokens = createAccountTokens(table, now);
  const events = createAccountEvents(table, now, options.onEvent);
  const { note, tell } = createReports({ options, events, write });
  const base = { options, store, tokens, events, write, note, tell };

  const devices = createDevices(anyDatabase, { now, ...named(own?.devices) });
  const company = createProviderParts(base, table);
  const sessions = createAccountSessions({ ...base, engine, providers: company.sessions });
  const stores = {
    ...createStores<AccountUser<Role> & Extra, Transaction>(database, {
      ...given.stores,
      sessions: sessions.table as never,
    }),
    scripts: options.passkeys === undefined ? [] : [passkeyScript],
  };
  const passkeyStore = createAccountPasskeys(table, now);
  const passkeys =
    options.passkeys === undefined
      ? null
      : createPasskeyWays({
          options,
          engine: options.passkeys,
          accounts: store,
          store: passkeyStore,
          questions: createPasskeyQuestions({ table, tokens, write, now }),
        });
  const refuse = options.refuseRole as never;
  const requireHighest = createRequireRole(roles, roles.at(-1) ?? '', refuse);
  const requireRecent = createRequireRecent<Role, Extra>(options.recent, now, sessions.isTrusted);
  const parts: AccountParts = {
    ...base,
    ...createChecks(anyDatabase, { ...base, devices }),
    ...createRemoveFactors({ ...base, passkeys: passkeyStore }),
    hasWayIn: createHasWayIn({ options, passkeys: passkeyStore, identities: company.identities }),
    logIn: createLogIn({ ...base, devices }),
    newPasswords: createNewPasswords({
      ...options.passwords?.accepted,
      siteNames: [...(options.passwords?.accepted?.siteNames ?? []), options.name ?? ''].filter(
        (name) => name !== '',
      ),
    }),
    passkeys,
    people: createPeople(table, options),
    registration: createRegistration(base),
    requireHighest,
    requireSeen: createRequireRole(roles, options.people.seenBy, refuse),
    requireRecent: requireRecent as unknown as Guard,
    seal: createSeal(options.secrets ?? null),
    sessions: stores.sessions as never,
  };

  return {
    stores,
    addTo(router) {
      const whole = router as unknown as Router<PageContext, never>;
      const factorPath =
        options.totp === undefined ? '/account/passkeys' : '/account/second-factor';
      const own = new Set<object>();
      if (options.private) whole.use(createRequireUser(options.openRoutes, own) as never);
      whole.use(createRequireDuties(factorPath, options.openRoutes) as never);
      const before = whole.routes.length;
      whole.group('', speakOfAccounts, (group) => {
        const pages = group as unknown as Router<PageContext, never>;
        addLogInPages(pages, parts);
        addRegistrationPages(pages, parts);
        addPasswordPages(pages, parts);
        if (options.totp !== undefined || passkeys !== null) {
          addSecondFactorPages(pages, parts);
          addOneTimeCodePages(pages, parts);
        }
        if (passkeys !== null) {
          addPasskeyLogIn(pages, parts, passkeys);
          addPasskeyPages(pages, parts, passkeys);
        }
        if (options.mail !== undefined) addMailPages(pages, parts);
        if (options.providers.length > 0) {
          addProviderPages(pages, parts, company);
          addProviderLogOut(pages, parts, company);
          addLinkedProviderPages(pages, parts, company);
        }
        addAccountPages(pages, parts);
        if (!options.without.includes('people')) addPeoplePages(pages, parts);
        return group;
      });
      // Each of them has a guard of its own, or is for visitors.
      for (const route of whole.routes.slice(before)) own.add(route);
      return router as never;
    },
    requireRole: (role) => createRequireRole(roles as readonly Role[], role, refuse),
    requireRecent,
    logInForm: (context) => drawLogInInPlace(parts, context),
    keepsDraft,
    invite: (role) => write((transaction) => invite(parts, transaction, role)),
    command: (words) => runAccountCommand(parts, words),
  };
}

function named(table: string | undefined): { readonly table?: string } {
  return table === undefined ? {} : { table };
}
