/**
 * The configuration, read once from the environment and checked completely before anything starts. A
 * bad value is one line that names it, says why, and which values are valid.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { normalizeText } from 'seeother';
import { parseProxies, type Trust } from 'seeother/node';
import { parsePostgresUrl } from 'seeother/postgres';
import { type FilesPlace, readFilesPlace } from './files-place.ts';
import { InvalidValue, parseSwitch, type Read } from './invalid-value.ts';
import { readSignIn, type SignInConfig } from './sign-in-settings.ts';
import { StartError } from './start-error.ts';

export type Registration = 'first' | 'invite' | 'open';

/** The specified line of a request, or an object of JSON. */
export type LogFormat = 'line' | 'json';

/** Who can read the items without an account: everybody, or nobody. */
export type Readers = 'everybody' | 'members';

/** How the mails about loans are sent. */
export interface MailConfig {
  /** With `smtp:` or `smtps:`, as nodemailer takes it. */
  readonly url: string;
  /** The address of the sender. */
  readonly from: string;
  /** The public origin, where the links of the mails lead. */
  readonly origin: string;
}

/** All processes share the place of uploaded files. */
export interface Config extends FilesPlace {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Where Prometheus reads the metrics; null for none. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly databaseUrl: string;
  /** Milliseconds that a request waits for the database. */
  readonly databaseTimeout: number;
  /** The address that users type, and the only one that is served; or null. */
  readonly publicOrigin: string | null;
  readonly trust: Trust;
  /** Null without MAIL_URL: then nothing of the mails is shown. */
  readonly mail: MailConfig | null;
  /** NODE_ENV is `production`: insecure settings are refused at start. */
  readonly production: boolean;
  /** In production, and no setting says that users connect over https: cookies are sent without Secure. */
  readonly plainHttp: boolean;
  /** ALLOW_HTTP: plain http in production is intended. */
  readonly allowHttp: boolean;
  /** What the team calls the site. */
  readonly siteName: string;
  /** The IANA time zone of the team; empty for that of the machine. */
  readonly timeZone: string;
  /** English, as a region writes its numbers and days: a BCP 47 tag. */
  readonly locale: string;
  readonly registration: Registration;
  readonly readers: Readers;
  readonly signIn: SignInConfig;
  readonly sampleItems: boolean;
  /** Whether what was sent is kept beside the pictures that were made of it. */
  readonly keepOriginals: boolean;
  readonly logUsers: boolean;
  readonly logFormat: LogFormat;
  /** Whether error pages show the stack and the chain; never in production. */
  readonly developmentPages: boolean;
  /** Whether Server-Timing shows each middleware's time; never in production. */
  readonly serverTiming: boolean;
  /** Milliseconds. */
  readonly sessionIdle: number;
  readonly sessionAbsolute: number;
  /** The name of the session's cookie, without `__Host-`. */
  readonly sessionCookie: string;
  /** Bytes of a submitted form. */
  readonly bodyLimit: number;
  /** Bytes of all submitted forms in memory of one process; at least the limit of one form. */
  readonly bodiesLimit: number;
  /** The number of serving processes; 1 means only this one. */
  readonly workers: number;
  /** Milliseconds to continue serving after the stop signal, so that load balancers notice. */
  readonly drainNotice: number;
  /** Milliseconds that running requests get after that. */
  readonly drainLimit: number;
}

/** A variable as read. */
export interface Setting {
  readonly name: string;
  /** Without secrets and control characters; empty without a value and a default. */
  readonly shown: string;
  readonly isDefault: boolean;
  /** Why the value is invalid and which values are valid; null if it is valid. */
  readonly refusal: string | null;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** How they are shown. Each may be in a file instead, whose path is in the variable with `_FILE` behind its name. */
const SECRETS: Readonly<Record<string, (value: string) => string>> = {
  DATABASE_URL: withoutPassword,
  MAIL_URL: withoutPassword,
  SECRETS: hide,
  OPENID_CLIENT_SECRET: hide,
  AWS_ACCESS_KEY_ID: hide,
  AWS_SECRET_ACCESS_KEY: hide,
};

/** Characters that could start a new line or control a terminal. */
const CONTROL = /\p{Cc}/gu;

/** Throws a StartError for the first invalid value. An empty value counts as not set. */
export function readConfig(environment: Environment): Config {
  const { config, settings } = inspectConfig(environment);
  for (const { name, shown, refusal } of settings) {
    if (refusal !== null) throw new StartError(`Cannot start with ${name}=${shown}: ${refusal}`);
  }
  return config;
}

/** Every variable with its parsed value; the default replaces an invalid value. */
export function inspectConfig(environment: Environment): {
  readonly config: Config;
  readonly settings: readonly Setting[];
} {
  const settings: Setting[] = [];
  const read: Read = (name, fallback, parse) => {
    const show = SECRETS[name];
    const file = (show && environment[`${name}_FILE`]) || '';
    const isDefault = !environment[name] && file === '';
    let value = environment[name] || fallback;
    const note = (shown: string, refusal: string | null) => {
      const plain = shown.replaceAll(CONTROL, '?');
      settings.push({ name, shown: plain, isDefault, refusal });
    };
    try {
      if (file !== '') value = readSecret(name, file, environment);
      const parsed = parse(value);
      note(show?.(value) ?? value, null);
      return parsed;
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      note(error.shown ?? show?.(value) ?? value, error.message);
      return parse(fallback);
    }
  };
  const readMetricsAddress = () => {
    const port = read('METRICS_PORT', '', (value) => value && parseWhole(value, 1, 65_535));
    const host = read('METRICS_HOST', '127.0.0.1', parseHost);
    return port === '' ? null : { host, port };
  };
  const production = environment['NODE_ENV'] === 'production';
  const publicOrigin = read('PUBLIC_ORIGIN', '', parseOrigin);
  const https = publicOrigin?.startsWith('https:') === true;
  const readMail = () => {
    const from = read('MAIL_FROM', '', parseSender);
    const url = read('MAIL_URL', '', (value) => parseMailUrl(value, from, publicOrigin));
    return url === '' || publicOrigin === null ? null : { url, from, origin: publicOrigin };
  };
  const databaseUrl = read('DATABASE_URL', 'sqlite:storage/application.db', parseDatabaseUrl);
  const config: Config = {
    host: read('HOST', '127.0.0.1', parseHost),
    port: read('PORT', '8000', (value) => parseWhole(value, 0, 65_535)),
    metrics: readMetricsAddress(),
    databaseUrl,
    databaseTimeout: read('DATABASE_TIMEOUT', '2', (value) => parsePositive(value, 60)) * 1_000,
    ...readFilesPlace(read, folderBeside(databaseUrl)),
    publicOrigin,
    trust: {
      isProxy: read('TRUST_PROXY', '', parseProxyList),
      scheme: https ? 'https' : null,
    },
    mail: readMail(),
    production,
    plainHttp: production && !https && !environment['TRUST_PROXY'],
    allowHttp: read('ALLOW_HTTP', '0', parseSwitch),
    siteName: read('SITE_NAME', 'Seeother', parseSiteName),
    timeZone: read('TIME_ZONE', '', parseTimeZone),
    locale: read('LOCALE', 'en-GB', parseLocale),
    registration: read('REGISTRATION', 'first', parseRegistration),
    readers: read('READERS', 'everybody', parseReaders),
    signIn: readSignIn(read, publicOrigin),
    sampleItems: read('SAMPLE_ITEMS', production ? '0' : '1', parseSwitch),
    keepOriginals: read('KEEP_ORIGINALS', '0', parseSwitch),
    logUsers: read('LOG_USERS', '0', parseSwitch),
    logFormat: read('LOG_FORMAT', 'line', parseLogFormat),
    developmentPages: read('DEVELOPMENT_PAGES', '0', parseSwitch) && !production,
    serverTiming: read('SERVER_TIMING', '0', parseSwitch) && !production,
    sessionIdle:
      read('SESSION_IDLE_HOURS', '12', (value) => parsePositive(value, 8_760)) * 3_600_000,
    sessionAbsolute:
      read('SESSION_ABSOLUTE_DAYS', '14', (value) => parsePositive(value, 365)) * 86_400_000,
    sessionCookie: read('SESSION_COOKIE', 'sid', parseCookieName),
    bodyLimit: read('BODY_LIMIT', '1048576', (value) => parseWhole(value, 1_024, 104_857_600)),
    bodiesLimit: read('BODIES_LIMIT', '67108864', (value) =>
      parseWhole(value, 1_048_576, 1_073_741_824),
    ),
    workers: read('WORKERS', '1', (value) => parseWhole(value, 1, 64)),
    drainNotice: read('DRAIN_NOTICE', '0', (value) => parseWhole(value, 0, 300)) * 1_000,
    drainLimit: read('DRAIN_LIMIT', '25', (value) => parseWhole(value, 1, 600)) * 1_000,
  };
  const bodiesLimit = Math.max(config.bodiesLimit, config.bodyLimit);
  return { config: { ...config, bodiesLimit }, settings };
}

/** The text of the file, without the line end behind it. */
function readSecret(name: string, file: string, environment: Environment): string {
  const at = `${name}_FILE=${file}`;
  if (environment[name]) throw new InvalidValue(`${at} is set too; keep one of the two.`, '…');
  let text = '';
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidValue(`${at} cannot be read (${code}); give the service access to it.`, '…');
  }
  if (text === '') throw new InvalidValue(`${at} is empty; write the value into it.`, '…');
  return text;
}

/** The files stand beside the database: where the service may write one, it may write the other. */
function folderBeside(databaseUrl: string): string {
  return databaseUrl.startsWith('sqlite:')
    ? join(dirname(databaseUrl.slice('sqlite:'.length)), 'files')
    : 'storage/files';
}

/** The text between user name and host of an address, and the values of its query. */
function withoutPassword(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/@:]*):.*@/i, '$1:…@').replace(/\?.*$/, '?…');
}

function hide(value: string): string {
  return value === '' ? '' : '…';
}

function parseHost(value: string): string {
  if (/^[A-Za-z0-9.:_-]+$/.test(value)) return value;
  throw new InvalidValue(
    'it is not a host name or an IP address; use for example 127.0.0.1 or 0.0.0.0.',
  );
}

function parseWhole(value: string, lowest: number, highest: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= lowest && number <= highest) return number;
  throw new InvalidValue(`it must be a whole number from ${lowest} to ${highest}.`);
}

function parsePositive(value: string, highest: number): number {
  const number = Number(value);
  if (/^\d+(\.\d+)?$/.test(value) && number > 0 && number <= highest) return number;
  throw new InvalidValue(`it must be a number above 0 and up to ${highest}.`);
}

function parseDatabaseUrl(value: string): string {
  if (/^sqlite:[^?#\p{Cc}]+$/u.test(value) && !value.endsWith('/')) return value;
  // A mistyped address may contain a password, so at most its scheme is shown.
  const kind = /^([a-z][a-z0-9+.-]*):/i.exec(value)?.[0] ?? '';
  if (!/^postgres(ql)?:$/.test(kind)) {
    throw new InvalidValue(
      'it must be sqlite: and a path to a file, for example sqlite:storage/application.db, or the address of a server, for example postgres://user:password@host:5432/name.',
      `${kind}…`,
    );
  }
  try {
    parsePostgresUrl(value);
    return value;
  } catch (error) {
    throw new InvalidValue(error instanceof Error ? error.message : String(error), `${kind}…`);
  }
}

function parseOrigin(value: string): string | null {
  if (value === '') return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`)
    return url.origin;
  throw new InvalidValue(
    'it must be only a scheme and a host, for example https://things.example.',
  );
}

function parseSender(value: string): string {
  if (value === '' || /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/.test(value)) return value;
  throw new InvalidValue('it must be one address, without a name, for example things@example.org.');
}

function parseMailUrl(value: string, from: string, publicOrigin: string | null): string {
  if (value === '') return value;
  // A mistyped address may contain a password, so at most its scheme is shown.
  const shown = `${/^smtps?:/.exec(value)?.[0] ?? ''}…`;
  if (!/^smtps?:\/\/[^/]/.test(value) || !URL.canParse(value) || /\p{Cc}/u.test(value)) {
    throw new InvalidValue(
      'it must be the address of a mail server, for example smtps://user:password@mail.example.org or smtp://127.0.0.1:25.',
      shown,
    );
  }
  if (from === '')
    throw new InvalidValue('set MAIL_FROM to the address of the sender, too.', shown);
  if (publicOrigin !== null) return value;
  throw new InvalidValue('set PUBLIC_ORIGIN, too: mails have links to this site.', shown);
}

function parseProxyList(value: string): Trust['isProxy'] {
  try {
    return parseProxies(value);
  } catch (error) {
    throw new InvalidValue(
      `${error instanceof Error ? error.message : error}; list the addresses of your proxies, separated by commas.`,
    );
  }
}

function parseSiteName(value: string): string {
  const name = normalizeText(value);
  if (name !== '' && name.length <= 60 && !/\p{Cc}/u.test(value)) return name;
  throw new InvalidValue(
    'it must be one line of at most 60 characters, for example Workshop East.',
  );
}

function parseTimeZone(value: string): string {
  try {
    // An offset would have no daylight saving time, and another sign in TZ.
    if (value === '' || /^[a-z]/i.test(value))
      return value && new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    // Intl knows no such time zone.
  }
  throw new InvalidValue(
    'it is not the name of a time zone; use for example Europe/Berlin, America/New_York or UTC.',
  );
}

function parseLocale(value: string): string {
  const advice = 'use en and the code of your country, for example en-GB, en-US or en-DE.';
  try {
    const [locale = ''] = Intl.getCanonicalLocales(value);
    if (/^en(?:-|$)/.test(locale)) return locale;
  } catch {
    throw new InvalidValue(`it is not the tag of a language; ${advice}`);
  }
  throw new InvalidValue(`the pages are in English; ${advice}`);
}

function parseRegistration(value: string): Registration {
  if (value === 'first' || value === 'invite' || value === 'open') return value;
  throw new InvalidValue('it must be first, invite or open.');
}

function parseLogFormat(value: string): LogFormat {
  if (value === 'line' || value === 'json') return value;
  throw new InvalidValue('it must be line or json.');
}

function parseCookieName(value: string): string {
  if (/^(?!__|(?:flash|awaited|device)$)[\w-]{1,64}$/.test(value)) return value;
  throw new InvalidValue(
    'it must be up to 64 letters, digits, hyphens and underscores, not start with __, and not be the name of another cookie; use, for example, inventory.',
  );
}

function parseReaders(value: string): Readers {
  if (value === 'everybody' || value === 'members') return value;
  throw new InvalidValue('it must be everybody or members.');
}
