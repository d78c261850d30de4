/**
 * Accounts: who may log in to a site, and how. One value has the stores of the site, its guards, and its pages. It is
 * made of what every site has: forms, sessions, receipts, and a database.
 */
import { createStores } from '../database/create-stores.ts';
import type { Database, Value, WriteTransaction } from '../database/database.ts';
import { openTable } from '../database/tables.ts';
import type { BrowserScript } from '../http/browser-script.ts';
import { localPath } from '../http/href.ts';
import { passkeyScript } from '../passkeys/passkey-script.ts';
import type { Router } from '../router/router.ts';
import type { Session } from '../session/session.ts';
import { toTokenKey } from '../session/token.ts';
import {
  type Account,
  type AccountContext,
  type AccountUser,
  isUsable,
  toNameKey,
} from './account.ts';
import { invite, runAccountCommand } from './account-command.ts';
import { createAccountEvents, type NewEvent } from './account-events.ts';
import { mailEvent } from './account-mail.ts';
import { type AccountOptions, checkAccountOptions } from './account-options.ts';
import { addAccountPages } from './account-pages.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import { createAccountPasskeys } from './account-passkeys.ts';
import type { AccountRoutes } from './account-routes.ts';
import { createAccountStore, type Write } from './account-store.ts';
import { createStatements, TABLES } from './account-tables.ts';
import { createAccountTokens } from './account-tokens.ts';
import { createAttempts } from './attempts.ts';
import { readDevice, withDevice } from './device-cookie.ts';
import { createDevices } from './devices.ts';
import {
  createRequireDuties,
  createRequireRecent,
  createRequireRole,
  type Guard,
} from './guards.ts';
import { createHashQueue } from './hash-queue.ts';
import { addLinkedProviderPages } from './linked-provider-pages.ts';
import { createLogIn, mayStart } from './log-in.ts';
import { addLogInPages } from './log-in-pages.ts';
import { addMailPages } from './mail-pages.ts';
import { createNewPasswords } from './new-password.ts';
import { addOneTimeCodePages } from './one-time-code-pages.ts';
import { addPasskeyLogIn } from './passkey-log-in.ts';
import { addPasskeyPages } from './passkey-pages.ts';
import { createPasskeyQuestions } from './passkey-questions.ts';
import { createPasskeyWays } from './passkey-ways.ts';
import { addPasswordPages } from './password-pages.ts';
import { createPasswords } from './passwords.ts';
import { addPeoplePages } from './people-pages.ts';
import { addProviderLogOut } from './provider-log-out.ts';
import { addProviderPages } from './provider-pages.ts';
import { createProviderParts } from './provider-parts.ts';
import { createRegistration } from './registration.ts';
import { addRegistrationPages } from './registration-pages.ts';
import { sayIn, speakOfAccounts } from './say.ts';
import { createSeal } from './seal.ts';
import { addSecondFactorPages } from './second-factor-pages.ts';
import { createThrottle } from './throttle.ts';
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
  /** Makes an invitation, for a program: resolves to the path of its link, which works once, for seven days. */
  readonly invite: (role: Role) => Promise<string>;
  /**
   * A command of a terminal, such as `['invite', 'admin']`: also `password`, `factors`, `disable` and `enable` with a
   * username, and `role` with a username and a role. Resolves to the text to print; rejects with what is wrong.
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
  // The pages know no more of a transaction and of a role than that there is one.
  const options = checkAccountOptions(given as unknown as AccountOptions<WriteTransaction, string>);
  const { now, roles } = options;
  const { tables: own = null } = options;
  const statements = createStatements(database.engine, own);
  const table = openTable<WriteTransaction>(
    database as unknown as Database,
    null,
    TABLES.tokens,
    () => statements,
    { column: 'ends_at', after: DAY, every: DAY },
  );
  const log = openTable<WriteTransaction>(
    database as unknown as Database,
    null,
    TABLES.events,
    () => statements,
    { column: 'at', after: options.keepEvents * DAY, every: DAY },
  );
  const store = createAccountStore(database.engine, table, now, own);
  const tokens = createAccountTokens(table, now);
  const events = createAccountEvents(table, now);
  const write: Write = (work) =>
    table.write(async (transaction) => {
      await table.sweep(transaction, now().getTime());
      await log.sweep(transaction, now().getTime());
      return work(transaction);
    });
  const passwords = createPasswords(options.passwords?.hashes);
  const newPasswords = createNewPasswords({
    ...options.passwords?.accepted,
    siteNames: [options.name ?? ''].filter((name) => name !== ''),
  });
  const queue = createHashQueue();
  const throttle = createThrottle(database, { now, ...named(own?.attempts) });
  const devices = createDevices(database, { now, ...named(own?.devices) });
  const note: AccountParts['note'] = async (event) => {
    await write((transaction) => events.add(transaction, event));
    options.onEvent?.(event);
  };
  const attempts = createAttempts({
    throttle,
    queue,
    async report(what, { account, kind, request }) {
      // Nobody has failed who asks for too many mails or accounts.
      if (kind === 'mail link' || kind === 'reset' || kind === 'registration') return;
      // Whose passkey it was to be is not proved.
      const isPasskey = kind === 'passkey';
      const found = isPasskey ? null : await store.find({ username: account });
      const details = [isPasskey ? kind : '', what === 'throttled' ? 'too many attempts' : ''];
      const event: NewEvent = {
        accountId: found?.id ?? null,
        kind: kind === 'log-in' || isPasskey ? 'log-in failed' : 'second factor failed',
        detail: details.filter((detail) => detail !== '').join(', '),
        request,
      };
      // What was not even checked fills no table.
      if (what === 'failed') await note(event);
      else options.onEvent?.(event);
    },
  });
  const tell: AccountParts['tell'] = async (transaction, request, { id, email }, event) => {
    const whole = { ...event, accountId: id, request };
    await events.add(transaction, whole);
    await mailEvent(options, transaction, request, email, event.kind);
    transaction.onCommit(() => options.onEvent?.(whole));
  };
  const company = createProviderParts({ options, store, tokens, write, tell }, table);
  const made = createStores<AccountUser<Role> & Extra, Transaction>(database, {
    ...given.stores,
    sessions: {
      table: own?.sessions ?? TABLES.sessions,
      create: statements,
      userId: 'account_id',
      users: own?.accounts ?? TABLES.accounts,
      columns: [
        'id',
        'username',
        'email',
        'role',
        'version',
        'password_expires_at',
        'second_factor',
        ...(given.user?.columns ?? []),
      ],
      toUser: (row) =>
        ({
          ...toUser(row, options.secondFactorFor),
          ...(given.user?.toUser(row) as object | undefined),
        }) as AccountUser<Role> & Extra,
      async admit(transaction, session) {
        const { user } = session;
        const account = await store.find({ id: Number(user.id) }, transaction);
        if (!mayStart(account, user)) return false;
        const { told = [], proved = '', isTrusted = false, provider } = user.started ?? {};
        if (isTrusted) {
          const key = toTrustedKey(session);
          await tokens.takeKey(transaction, 'trusted log-in', key, account.id);
          await tokens.add(transaction, 'trusted log-in', key, {
            accountId: account.id,
            lifetime: options.recent,
          });
        }
        const { startedAt } = session;
        const opened = { accountId: account.id, startedAt };
        if (provider !== undefined && !(await company.sessions.add(transaction, opened, provider)))
          return false;
        await events.setTold(transaction, told);
        await events.add(transaction, {
          accountId: account.id,
          kind: 'logged in',
          detail: proved,
          request: session,
        });
        return true;
      },
    },
  });
  const stores = { ...made, scripts: options.passkeys === undefined ? [] : [passkeyScript] };
  const logIn = createLogIn({
    options,
    tokens,
    events,
    write,
    async rememberDevice(response, request, { id }) {
      return withDevice(response, request, await devices.renew(readDevice(request), id));
    },
  });
  const passkeyRows = createAccountPasskeys(table, now);
  const passkeys =
    options.passkeys === undefined
      ? null
      : createPasskeyWays({
          options,
          engine: options.passkeys,
          accounts: store,
          store: passkeyRows,
          questions: createPasskeyQuestions({ table, tokens, write, now }),
        });
  const requireHighest = createRequireRole<Role, Extra>(
    roles as readonly Role[],
    roles.at(-1) as Role,
  );
  const requireRecent = createRequireRecent<Role, Extra>(
    options.recent,
    now,
    async (session) => (await tokens.findKey('trusted log-in', toTrustedKey(session))) !== null,
  );
  const parts: AccountParts = {
    options,
    store,
    tokens,
    events,
    logIn,
    registration: createRegistration({ options, store, tokens, events, write }),
    write,
    note,
    tell,
    newPasswords,
    hash: (password) => queue('unknown device', () => passwords.hash(password)),
    async checkPassword(request, typed, password) {
      const found = await store.findTyped(typed);
      const device = await devices.find(readDevice(request), found?.id ?? null);
      const account = found === null ? toNameKey(typed) : toNameKey(found.username);
      return attempts.check({ kind: 'log-in', account, device, request }, async () => {
        // Read again: it may have changed while the check has waited.
        const now_ = await store.findTyped(typed);
        const matches = await passwords.verify(password, now_?.passwordHash ?? null);
        if (!matches || now_ === null || !isUsable(now_) || hasExpired(now_, now())) return null;
        return now_.passwordHash !== null && passwords.needsRehash(now_.passwordHash)
          ? rehash(now_, password)
          : now_;
      });
    },
    async attempt(request, kind, { id, username }, check) {
      const device = await devices.find(readDevice(request), id);
      return attempts.check({ kind, account: toNameKey(username), device, request }, check);
    },
    attemptPasskey: (request, check) =>
      attempts.check({ kind: 'passkey', account: request.address, device: null, request }, check),
    async forgetAttempts(transaction, { id, username }) {
      const keys = await devices.forget(id, transaction as Transaction);
      await throttle.forget(
        { account: toNameKey(username), kinds: ['log-in'], devices: keys },
        transaction as Transaction,
      );
    },
    async countMail({ request, values }) {
      const account = toNameKey(values.email ?? '');
      if (account === '') return [];
      // Strangers who ask for mails on purpose do not keep the owner from asking for one.
      const found = await store.find({ email: account });
      const device = await devices.find(readDevice(request), found?.id ?? null);
      await attempts.count({ kind: 'mail link', account, device, request });
      return [];
    },
    countRegistration: (request, username) =>
      attempts.count({
        kind: 'registration',
        account: toNameKey(username),
        device: null,
        request,
      }),
    requireRecent: requireRecent as unknown as Guard,
    requireHighest: requireHighest as unknown as Guard,
    async removeFactors(transaction, account) {
      await store.change(transaction, account.id, { second_factor: 0 });
      await passkeyRows.removeAll(transaction, account.id);
      await parts.removeCodes(transaction, account);
    },
    async removeCodes(transaction, { id, role }) {
      // Of a role that needs a second factor, the passkeys go on to be one.
      const stays =
        options.secondFactorFor.includes(role) &&
        (await passkeyRows.list(id, transaction)).length > 0;
      const second_factor = stays ? 1 : 0;
      await store.change(transaction, id, { totp: null, totp_step: 0, second_factor }, true);
      await tokens.remove(transaction, id, ['trusted browser', 'second factor', 'repeat']);
      if (!stays) await tokens.remove(transaction, id, ['recovery code']);
    },
    hasWayIn: createHasWayIn({ options, passkeys: passkeyRows, identities: company.identities }),
    factorLinks(request) {
      const say = sayIn(request);
      return [
        ...(options.totp === undefined
          ? []
          : [['/account/second-factor', say('Second factor')] as const]),
        ...(passkeys === null || passkeys.originOf(request) === null
          ? []
          : [['/account/passkeys', say('Your passkeys')] as const]),
        ...(options.providers.length === 0
          ? []
          : [['/account/providers', say('Company accounts')] as const]),
      ];
    },
    passkeys,
    seal: createSeal(options.secrets ?? null),
    sessions: stores.sessions as never,
  };

  /** The hash has an old cost: the password is known only now. */
  async function rehash(account: Account, password: string): Promise<Account> {
    const password_hash = await passwords.hash(password);
    await write(async (transaction) => {
      const locked = await store.lock(transaction, account.id);
      if (locked?.version === account.version)
        await store.change(transaction, account.id, { password_hash });
    });
    return account;
  }

  return {
    stores,
    addTo(router) {
      const whole = router as unknown as Router<PageContext, never>;
      const factorPath =
        options.totp === undefined ? '/account/passkeys' : '/account/second-factor';
      whole.use(createRequireDuties(factorPath) as never);
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
      return router as never;
    },
    requireRole: (role) => createRequireRole(roles as readonly Role[], role),
    requireRecent,
    invite: async (role) => {
      const token = await write((transaction) => invite(parts, transaction, role));
      return localPath(`/register?token=${token}`);
    },
    command: (words) => runAccountCommand(parts, words),
  };
}

const DAY = 86_400_000;

function named(table: string | undefined): { readonly table?: string } {
  return table === undefined ? {} : { table };
}

/** A new id of the session does not change it. */
function toTrustedKey({
  startedAt,
  user,
}: Pick<Session<AccountUser>, 'startedAt' | 'user'>): string {
  return toTokenKey(`trusted log-in ${user.id} ${startedAt.toISOString()}`);
}

function hasExpired({ passwordEndsAt }: Account, now: Date): boolean {
  return passwordEndsAt !== null && passwordEndsAt <= now;
}

function toUser(
  row: Readonly<Record<string, Value>>,
  secondFactorFor: readonly string[],
): AccountUser {
  const { username, email, role, version } = row;
  const user = {
    id: Number(row['id']),
    name: String(username),
    email: email === null ? null : String(email),
    role: String(role),
    version: String(version),
    hasSecondFactor: row['second_factor'] === 1,
  };
  if (row['password_expires_at'] !== null) return { ...user, must: 'choose a password' };
  const lacksFactor = !user.hasSecondFactor && secondFactorFor.includes(user.role);
  return lacksFactor ? { ...user, must: 'add a second factor' } : user;
}
