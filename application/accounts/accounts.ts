/**
 * Who may log in here: the framework's accounts in the application's tables, with its roles, names and pages. Their
 * routes come before those of router.ts.
 */
import { type AccountOptions, accountUser, createAccounts } from 'seeother/accounts';
import type { FileStore } from 'seeother/files';
import { nextNumber } from '../database/counter.ts';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { href } from '../links.ts';
import { forgetAddress } from '../mail/due-mails.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Config } from '../settings/config.ts';
import { ROLES, type Role } from '../settings/role.ts';
import { type LogSecurity, logAccountEvents } from '../settings/security-log.ts';
import { formatTime } from '../site/format.ts';
import { HEALTH_CHECKS } from '../site/health.ts';
import type { Chosen } from '../site/session-user.ts';
import { type AccountPageParts, createAccountPages } from './account-pages.ts';
import { displayName } from './display-name-form.ts';
import { drawPage } from './draw-page.ts';
import type { People } from './people.ts';
import { createRefusal } from './require-role.ts';
import { ROLE_TEXTS } from './role-page.ts';
import type { SignIn } from './sign-in.ts';

export type Accounts = ReturnType<typeof openAccounts>;

/** Told of files that cannot be removed. */
export type StoreReport = (entry: { readonly message: string; readonly error?: unknown }) => void;

export interface AccountParts {
  readonly config: Config;
  readonly logSecurity: LogSecurity;
  readonly findHeld: AccountPageParts['findHeld'];
  readonly people: Pick<People, 'administrators'>;
  /** The clock of the sessions. */
  readonly now?: (() => Date) | undefined;
  readonly hashes?: NonNullable<Options['passwords']>['hashes'] | undefined;
  readonly fileStore?: FileStore | undefined;
  readonly report?: StoreReport | undefined;
  /** Absent where no mail server is set up. */
  readonly mailer?: Pick<Mailer, 'send' | 'database'> | undefined;
  /** Ways to log in besides a password. */
  readonly signIn?: SignIn | undefined;
}

/** Refused as passwords, whatever the site is called. */
const PROJECT_NAMES = ['seeother', 'see other', 'see-other'];

type Options = AccountOptions<KyselyTransaction, Role, Chosen>;

export function openAccounts(
  { door, write }: Pick<Database, 'door' | 'write'>,
  parts: AccountParts,
) {
  const {
    config,
    logSecurity,
    findHeld,
    people,
    now,
    hashes,
    fileStore,
    report,
    mailer,
    signIn = {},
  } = parts;
  const { passwords, ...ways } = signIn;
  return createAccounts<KyselyTransaction, Role, Chosen>(
    { ...door, write },
    {
      layout: drawPage,
      name: config.siteName,
      publicOrigin: config.publicOrigin,
      roles: ROLES,
      defaultRole: 'member',
      registration: config.registration === 'invite' ? 'invitation' : config.registration,
      home: href('/items'),
      private: config.readers === 'members',
      openRoutes: [href('/help'), href('/mail'), ...HEALTH_CHECKS],
      passwords: {
        accepted: { siteNames: PROJECT_NAMES, ...passwords?.accepted },
        ...(hashes && { hashes }),
      },
      ...ways,
      tables: {
        ...{ accounts: 'accounts', sessions: 'sessions' },
        ...{ devices: 'devices', attempts: 'failed_log_ins' },
        nextId: (transaction) => nextNumber(transaction, 'accounts'),
      },
      user: accountUser(['display_name', 'list_view'], ({ display_name, list_view }) => ({
        ...(display_name !== null && { displayName: String(display_name) }),
        ...(list_view !== '' && { listView: String(list_view) }),
      })),
      profile: displayName,
      people: {
        seenBy: 'reader',
        roles: ROLE_TEXTS,
        name: ({ name: username, displayName = username }) => displayName,
      },
      stores: { receipts: 'receipts', ...(fileStore && { fileStore }), ...(report && { report }) },
      formatTime,
      // What somebody did stays, with the name.
      without: ['delete'],
      pages: createAccountPages({
        readers: config.readers,
        findHeld,
        mails: mailer?.database ?? null,
      }),
      refuseRole: createRefusal(people),
      onDisable: forgetAddress,
      onEvent: logAccountEvents(logSecurity),
      ...(mailer && { mail: mailer.send }),
      ...(now && { now }),
    },
  );
}
