/**
 * The settings of the ways to sign in. A password always works; nothing else is on that could not work: one-time codes
 * need SECRETS, passkeys a place where browsers have them, and a company its issuer.
 */
import { isIP } from 'node:net';
import { normalizeText } from 'seeother';
import { InvalidValue, parseSwitch, type Read } from './invalid-value.ts';
import { ROLES, type Role } from './role.ts';

export interface SignInConfig {
  /** They seal the keys of one-time codes: the first seals, and each opens. */
  readonly secrets: readonly string[];
  readonly oneTimeCodes: boolean;
  readonly passkeys: boolean;
  /** The roles that need a second factor. */
  readonly secondFactorFor: readonly Role[];
  /** The path of the list; null without one. */
  readonly breachedPasswords: string | null;
  readonly company: CompanyConfig | null;
}

/** A company that lets its people in by OpenID Connect. */
export interface CompanyConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a client that the company knows as public. */
  readonly clientSecret: string | null;
  /** What people call it. */
  readonly name: string;
  /** Beside `openid`. */
  readonly scopes: readonly string[];
  /** Whether everybody whom the company lets in gets an account. */
  readonly register: boolean;
  /** Null: roles are given at /people alone. */
  readonly roles: RoleClaim | null;
  /** Whether a second factor of the company counts. */
  readonly twoFactors: boolean;
}

/** Which values of a claim give which role. Whoever has none of them has the lowest one. */
export interface RoleClaim {
  readonly claim: string;
  readonly roles: Readonly<Record<string, Role>>;
}

const MIN_SECRET = 32;

export function readSignIn(read: Read, publicOrigin: string | null): SignInConfig {
  const secrets = read('SECRETS', '', parseSecrets);
  const codesDefault = secrets.length > 0 ? '1' : '0';
  const oneTimeCodes = read('ONE_TIME_CODES', codesDefault, (value) => {
    if (!parseSwitch(value) || secrets.length > 0) return value === '1';
    throw new InvalidValue('set SECRETS, too: it seals the keys of the codes in the database.');
  });
  const isPossible = hasPasskeysAt(publicOrigin);
  const passkeys = read('PASSKEYS', isPossible ? '1' : '0', (value) => {
    if (!parseSwitch(value) || isPossible) return value === '1';
    throw new InvalidValue(
      `browsers have no passkeys at ${publicOrigin}; set PUBLIC_ORIGIN to an https address with a name.`,
    );
  });
  const secondFactorFor = read('SECOND_FACTOR_FOR', '', (value) => {
    const roles = parseRoles(value);
    if (roles.length === 0 || oneTimeCodes || passkeys) return roles;
    throw new InvalidValue(
      'there is no second factor, so nobody with this role could do anything; set SECRETS, too.',
    );
  });
  const breachedPasswords = read('BREACHED_PASSWORDS', '', parseLine) || null;
  const company = readCompany(read);
  return { secrets, oneTimeCodes, passkeys, secondFactorFor, breachedPasswords, company };
}

/** Over https and on this machine, at a name. Without an address, each request says where it is. */
function hasPasskeysAt(publicOrigin: string | null): boolean {
  if (publicOrigin === null) return true;
  const { protocol, hostname } = new URL(publicOrigin);
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return false;
  return protocol === 'https:' || /^(?:.+\.)?localhost$/.test(hostname);
}

function readCompany(read: Read): CompanyConfig | null {
  const clientId = read('OPENID_CLIENT_ID', '', parseLine);
  const clientSecret = read('OPENID_CLIENT_SECRET', '', parseLine) || null;
  const issuer = read('OPENID_ISSUER', '', (value) => parseIssuer(value, clientId));
  const host = issuer === '' ? '' : new URL(issuer).host;
  const settings = {
    ...{ issuer, clientId, clientSecret },
    name: read('OPENID_NAME', host, parseCompanyName),
    scopes: read('OPENID_SCOPES', 'email profile', parseScopes),
    register: read('OPENID_REGISTER', '0', parseSwitch),
    roles: read('OPENID_ROLES', '', parseRoleClaim),
    twoFactors: read('OPENID_TWO_FACTORS', '0', parseSwitch),
  };
  return issuer === '' ? null : settings;
}

function parseSecrets(value: string): readonly string[] {
  const secrets = value.split(/\s+/).filter((secret) => secret !== '');
  const short = secrets.find((secret) => secret.length < MIN_SECRET);
  if (short === undefined) return secrets;
  throw new InvalidValue(
    `each secret, between spaces, must have at least ${MIN_SECRET} random characters, and one has ${short.length}; use what openssl rand -base64 32 prints.`,
  );
}

function parseLine(value: string): string {
  if (!/\p{Cc}/u.test(value)) return value;
  throw new InvalidValue('it must be one line.');
}

function parseRoles(value: string): readonly Role[] {
  return splitList(value, ',').map(parseRole);
}

function parseRole(name: string): Role {
  const role = ROLES.find((one) => one === name);
  if (role !== undefined) return role;
  throw new InvalidValue(`${JSON.stringify(name)} is no role; the roles are ${ROLES.join(', ')}.`);
}

function parseIssuer(value: string, clientId: string): string {
  if (value === '') return value;
  const url = URL.canParse(value) ? new URL(value) : null;
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url?.hostname ?? '');
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere);
  if (url === null || !isSecure || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new InvalidValue(
      'it must be the https address that the company writes as its issuer, for example https://login.example.com.',
      '…',
    );
  }
  if (clientId !== '') return value;
  throw new InvalidValue('set OPENID_CLIENT_ID, too: the company gives it to this site.');
}

function parseCompanyName(value: string): string {
  const name = normalizeText(value);
  if (name.length <= 60 && !/\p{Cc}/u.test(value)) return name;
  throw new InvalidValue('it must be one line of at most 60 characters, for example Example Ltd.');
}

function parseScopes(value: string): readonly string[] {
  const scopes = splitList(value, ' ');
  // RFC 6749, section 3.3.
  if (scopes.every((scope) => /^[!#-[\]-~]+$/.test(scope))) return scopes;
  throw new InvalidValue('it must be a list with spaces, for example email profile groups.');
}

/** `groups: it=administrator, staff=member`. A colon may stand within the name of a claim, which can be an address. */
function parseRoleClaim(value: string): RoleClaim | null {
  if (value === '') return null;
  const [, claim, list] = /^(\S+):\s+(.+)$/.exec(value) ?? [];
  if (claim === undefined || list === undefined) throw noRoleClaim();
  const pairs = splitList(list, ',').map((pair) => {
    const at = pair.lastIndexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (name === '') throw noRoleClaim();
    return [name, parseRole(pair.slice(at + 1).trim())] as const;
  });
  return { claim, roles: Object.fromEntries(pairs) };
}

function noRoleClaim(): InvalidValue {
  return new InvalidValue(
    'it must be a claim and what its values mean, for example groups: it-admins=administrator, staff=member.',
  );
}

function splitList(text: string, separator: string): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
