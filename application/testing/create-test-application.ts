/**
 * The real router on a real database in a temporary folder, without a socket. Every response of every
 * test is checked against the contract.
 */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createMemoryStores, loadFiles, type Response, type Route } from 'seeother';
import { createPasswords, type PasswordOptions } from 'seeother/accounts';
import type { ErrorReport } from 'seeother/middleware';
import type { Application } from 'seeother/node';
import { createVisitor, lintResponses, type RequestInit, type Visitor } from 'seeother/testing';
import type { SignIn } from '../accounts/sign-in.ts';
import type { ImportProgress } from '../imports/import-controller.ts';
import { createItemPictures, type ItemPictures } from '../items/files/item-pictures.ts';
import { type Mailer, openMailer } from '../mail/mailer.ts';
import { createModels, type Models } from '../models.ts';
import { createApplication } from '../router.ts';
import { type Environment, readConfig } from '../settings/config.ts';
import type { Role } from '../settings/role.ts';
import { createSecurityLog } from '../settings/security-log.ts';
import { setRegion } from '../site/format.ts';
import { setSiteName } from '../site/site-name.ts';
import { CHEAP } from './cheap-passwords.ts';
import { addAccount, openTestDatabase, type TestDatabase } from './open-test-database.ts';

export interface TestApplication extends Application {
  readonly routes: readonly Route[];
  readonly database: TestDatabase;
  readonly models: Models;
  /** The costs of passwords. */
  readonly hashes: PasswordOptions | undefined;
  /** The lines of the request log and the reported errors, in order. */
  readonly log: readonly string[];
  readonly reports: readonly ErrorReport[];
  /** The lines of the security log. */
  readonly security: readonly string[];
}

export interface TestOptions {
  readonly environment?: Environment;
  /** Replaces models, for example by failing ones. */
  readonly replace?: (models: Models) => Partial<Models>;
  readonly isDraining?: () => boolean;
  readonly checkDatabase?: () => Promise<void>;
  readonly writeFailure?: TestDatabase['writeFailure'];
  readonly canStoreFiles?: () => boolean;
  readonly importRunner?: ImportProgress;
  /** Null for a site without a mail server. By default nothing that it would send is sent. */
  readonly mailer?: Mailer | null;
  /** Makes pictures of photos. By default they wait. */
  readonly pictures?: Pick<ItemPictures, 'makeLater'>;
  /** Ways to log in besides a password. */
  readonly signIn?: SignIn;
  /** Uses the real password cost; by default, passwords are cheap. */
  readonly realPasswords?: boolean;
  /** The clock of the sessions, and of the days that loans end. */
  readonly now?: () => Date;
  /** A database shared with another application. */
  readonly database?: TestDatabase;
}

const FILES = loadFiles(join(import.meta.dirname, '..', 'public'));

export async function createTestApplication(
  t: TestContext,
  options: TestOptions = {},
): Promise<TestApplication> {
  const database = options.database ?? (await openTestDatabase(t));
  const { now } = options;
  const fileStore = createMemoryStores().files.bytes;
  const log: string[] = [];
  const reports: ErrorReport[] = [];
  const security: string[] = [];
  const config = readConfig({ TIME_ZONE: 'UTC', ...options.environment });
  setRegion(config);
  setSiteName(config);
  const logSecurity = createSecurityLog((line) => security.push(line));
  const mailer =
    (options.mailer === undefined ? await openIdleMailer(database) : options.mailer) ?? undefined;
  const hashes = options.realPasswords ? undefined : CHEAP;
  const { signIn } = options;
  const real = createModels(database, {
    config,
    logSecurity,
    now,
    hashes,
    fileStore,
    mailer,
    signIn,
    makeLater: () => options.pictures?.makeLater ?? null,
  });
  const models = { ...real, ...options.replace?.(real) };
  const parts = {
    config,
    models,
    files: FILES,
    health: {
      checkDatabase: options.checkDatabase ?? database.check,
      writeFailure: options.writeFailure ?? database.writeFailure,
      canStoreFiles: options.canStoreFiles ?? (() => true),
      isDraining: options.isDraining ?? (() => false),
    },
    log: (line: string) => log.push(line),
    report: (report: ErrorReport) => reports.push(report),
    logSecurity,
    now: options.now ?? (() => new Date()),
    importRunner: options.importRunner,
    pictures: options.pictures,
    mailer,
    around: [lintResponses],
  };
  const router = createApplication(parts);
  return {
    routes: router.routes,
    handle: (request) => router.handle(request),
    database,
    models,
    hashes,
    log,
    reports,
    security,
  };
}

/** With the pictures of photos: `pictures.run()` makes those that wait. */
export async function createApplicationWithPictures(t: TestContext, options: TestOptions = {}) {
  const database = options.database ?? (await openTestDatabase(t));
  let pictures: ItemPictures | undefined;
  const application = await createTestApplication(t, {
    ...options,
    database,
    pictures: { makeLater: (transaction, id) => pictures?.makeLater?.(transaction, id) as never },
  });
  const reports: string[] = [];
  pictures = createItemPictures(database, application.models.files, {
    keepOriginals: options.environment?.['KEEP_ORIGINALS'] === '1',
    report: ({ message, error }) => reports.push(`${message} ${error ?? ''}`),
  });
  t.after(() => pictures?.stop());
  return { ...application, pictures, pictureReports: reports };
}

/** It is not started. */
const openIdleMailer = (database: TestDatabase) =>
  openMailer(
    database,
    { url: 'smtp://127.0.0.1:9', from: 'things@example.org', origin: 'https://a.example' },
    () => {},
  );

export const PASSWORD = 'correct horse battery';

/** The fields of an invitation, where there is mail. */
export const INVITED = { to: 'grace@example.org', role: 'member' } as const;

/** A visitor who has logged in to the account, which is made if it does not exist. */
export async function createMember(
  application: TestApplication,
  username = 'ada',
  always: RequestInit = {},
): Promise<Visitor> {
  await register(application, username);
  const visitor = createVisitor(application, always);
  const { status } = await visitor.submit('/login', { username, password: PASSWORD });
  if (status !== 303) throw new Error(`Cannot log in as ${username}: the answer is ${status}.`);
  return visitor;
}

/** Makes an account without a form, unless there is one of this name. The first one is an administrator's. */
export async function register(
  { database, models, hashes }: Pick<TestApplication, 'database' | 'models' | 'hashes'>,
  username: string,
  { role, password = PASSWORD }: { readonly role?: Role; readonly password?: string } = {},
): Promise<void> {
  if ((await models.people.findByName(username)) !== null) return;
  const first = (await models.people.isEmpty()) ? 'administrator' : 'member';
  await addAccount(database, 'next', username, {
    role: role ?? first,
    password_hash: await createPasswords(hashes).hash(password),
  });
}

/** Changes a role without a log-in, as in the terminal. */
export async function setRole(
  { models }: Pick<TestApplication, 'models'>,
  username: string,
  role: Role,
): Promise<void> {
  await models.accounts.command(['role', username, role]);
}

/** The header line that sets the cookie; undefined if there is none. */
export function setCookieOf({ headers }: Response, name: string): string | undefined {
  const lines = [headers['Set-Cookie'] ?? []].flat();
  return lines.find((line) => line.startsWith(`${name}=`));
}

/** The value of a header that must not be repeated. */
export function headerOf({ headers }: Response, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined || typeof value === 'string') return value;
  if (value.length === 1) return value[0];
  throw new Error(`The header ${name} comes ${value.length} times.`);
}
