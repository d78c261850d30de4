/**
 * Support for the security tests: starts the application with a logged-in user, sends requests byte
 * for byte and follows links.
 */
import { buffer } from 'node:stream/consumers';
import { createMemoryStores, createSite, type Response } from 'seeother';
import { passkeys } from 'seeother/passkeys';
import {
  encodeFields,
  exchange,
  get,
  type RawAnswer,
  readAnswers,
  type Visitor,
} from 'seeother/testing';
import { totp } from 'seeother/totp';
import { openCompany, type SignIn } from '../accounts/sign-in.ts';
import { createDatabase } from '../database/kysely.ts';
import type { Environment } from '../settings/config.ts';
import { SCRIPT_SOURCE } from '../site/page-script.ts';
import { SCAN_SCRIPT_SOURCE } from '../site/scan-script.ts';
import { PASSWORD } from '../testing/create-test-application.ts';
import { dumpDatabase } from '../testing/dump-database.ts';
import type { TestDatabase } from '../testing/open-test-database.ts';
import { type Site as StartedSite, startInProcess } from '../testing/start-in-process.ts';

export interface Site extends StartedSite {
  /** The Cookie header of the logged-in user. */
  readonly cookie: string;
}

/** Starts an instance on plain http, without sample items, and logs its first account in. */
export async function startSite(environment: Environment = {}): Promise<Site> {
  const site = await startInProcess({ SAMPLE_ITEMS: '0', ...environment });
  const origin = environment['PUBLIC_ORIGIN'] ?? site.url;
  const from = { Host: new URL(origin).host, Origin: origin };
  const answer = await send(
    site.url,
    '/register',
    { username: 'ada', password: PASSWORD, passwordagain: PASSWORD },
    from,
  );
  const lines = answer.headers.map(([, value]) => value);
  const line = lines.find((one) => /^(?:__Host-)?sid=/.test(one)) ?? '';
  return { ...site, cookie: line.slice(0, line.indexOf(';')) };
}

const anySite = createSite(createMemoryStores(), { log: false, forms: { script: true } });
const { headers } = await anySite.handle(get('/'));
/** The framework's own script. */
const [FORM_SCRIPT] = /'sha256-[^']+'/.exec(String(headers['Content-Security-Policy'])) ?? [];

/** Of every answer, as literal values, so that any change of a header fails. */
export const EVERYWHERE: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; script-src ${SCRIPT_SOURCE} ${SCAN_SCRIPT_SOURCE} ${FORM_SCRIPT}; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'`,
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** The script of passkeys in a policy, after those of the site: where a site has passkeys. */
export const OF_PASSKEYS = /(?<=script-src(?: 'sha256-[^']+'){3}) 'sha256-[^']+'/;

export const FORM = 'application/x-www-form-urlencoded';

/** A list of values becomes several header lines. */
export type RawHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Sends one request with exactly this target and these headers on a new connection. */
export async function ask(
  url: string,
  target: string,
  headers: RawHeaders = {},
  method = 'GET',
  body = '',
): Promise<RawAnswer> {
  const lines = Object.entries({ Host: new URL(url).host, Connection: 'close', ...headers })
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`))
    .join('');
  const received = await exchange(url, `${method} ${target} HTTP/1.1\r\n${lines}\r\n${body}`);
  const [answer] = readAnswers(received, [method]);
  if (answer === undefined) throw new Error(`No answer came to ${method} ${target}.`);
  return answer;
}

/** Sends a form as a program does: without Sec-Fetch-Site and Origin, unless `headers` has them. */
export function send(
  url: string,
  target: string,
  fields: Readonly<Record<string, string>> | string,
  headers: RawHeaders = {},
): Promise<RawAnswer> {
  const body = typeof fields === 'string' ? fields : encodeFields(fields);
  const length = { 'Content-Type': FORM, 'Content-Length': String(body.length) };
  return ask(url, target, { ...length, ...headers }, 'POST', body);
}

export { dumpDatabase };

/** Every way to sign in, so that the application has every route that it may have. */
export async function openEveryWay(): Promise<SignIn> {
  const company = {
    ...{ issuer: 'https://company.example', clientId: 'things', clientSecret: 'secret' },
    ...{ name: 'Company', scopes: [], roles: null, twoFactors: false, register: false },
  };
  return {
    totp: totp(),
    passkeys: passkeys({ name: 'Things' }),
    providers: [await openCompany(company)],
    secrets: ['0123456789abcdef0123456789abcdef'],
  };
}

/** The ids of the accounts that made the open invitations. */
export async function listInvitations(url: string): Promise<readonly number[]> {
  const { seeother_account_tokens: links = [] } = await dumpDatabase(url);
  return links.filter(({ kind }) => kind === 'invitation').map(({ made_by }) => Number(made_by));
}

/** The same database, which waits before each transaction. */
export function beforeWrites(
  { door, url, file }: TestDatabase,
  wait: () => Promise<unknown>,
): TestDatabase {
  const write: typeof door.write = async (work) => {
    await wait();
    return door.write(work);
  };
  return { ...createDatabase({ ...door, write }), url, file };
}

/**
 * A path that matches the pattern, with item number 1. Throws for a pattern that it cannot fill.
 */
export function pathOf(pattern: string): string {
  const path = pattern.replaceAll(/:\w+<int>/g, '1').replace(/:hash$/, 'a'.repeat(64));
  if (/[:(){}*?+]/.test(path)) throw new Error(`Say here what a path of ${pattern} is.`);
  return path;
}

export interface Target {
  readonly method: string;
  readonly target: string;
}

/** Every route with each of these numbers in the place of each parameter. */
export function targetsOf(
  routes: readonly { readonly method: string; readonly pattern: string }[],
  numbers: readonly string[],
): readonly Target[] {
  const fill = (targets: readonly string[]): readonly string[] =>
    targets.some((one) => one.includes(':'))
      ? fill(targets.flatMap((one) => numbers.map((number) => one.replace(/:\w+(<int>)?/, number))))
      : targets;
  return routes.flatMap(({ method, pattern }) =>
    fill([pattern]).map((target) => ({ method, target })),
  );
}

/** The headers and the body, also of a stream. */
export async function contentOf({ headers, body }: Response): Promise<string> {
  const isStream = body !== null && typeof body === 'object' && Symbol.asyncIterator in body;
  const bytes = isStream ? await buffer(body) : Buffer.from(body ?? '');
  return JSON.stringify(headers) + bytes.toString();
}

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const;

/** The text escaped for HTML. Not the framework's own function, so that a bug in that is found. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => ESCAPES[one as keyof typeof ESCAPES]);
}

/** Follows every link from these paths, like a crawler. Resolves to every visited path. */
export async function crawl(visitor: Visitor, starts: readonly string[]): Promise<Set<string>> {
  const seen = new Set<string>();
  const kinds = new Set<string>();
  const left = [...starts];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    // Filters of the list can be combined without end, so visit one URL per set of query names.
    const kind = path.replaceAll(/=[^&]*/g, '');
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    seen.add(path);
    const { headers, body } = await visitor.get(path);
    const links = typeof body === 'string' ? body.matchAll(/ href="(\/[^"#]*)"/g) : [];
    left.push(...[...links].map(([, link = '']) => link.replaceAll('&amp;', '&')));
    if (typeof headers['Location'] === 'string') left.push(headers['Location']);
  }
  return seen;
}
