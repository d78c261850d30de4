// @ts-check
/**
 * The ways of signing in that an application may have besides a password: what each adds to a project. The lines of its
 * files are those of the templates that are marked with its name.
 */
import { randomBytes } from 'node:crypto';
import { Refusal } from './refusal.js';

/**
 * @typedef {'link' | 'codes' | 'passkeys' | 'company'} Way
 * @typedef {{ readonly packages: Readonly<Record<string, string>>, readonly environment?: () => string }} Addition
 */

/** @type {Readonly<Record<Way, Addition>>} */
export const WAYS = {
  link: {
    packages: { nodemailer: '^10.6.0' },
    environment:
      () => `# The mail server, and the sender. Without them, mails are printed while you develop.
#MAIL_URL=smtps://user:password@mail.example
#MAIL_FROM=items@mail.example
`,
  },
  codes: {
    packages: { otpauth: '^9.5.0', qr: '>=0.5.5 <0.8' },
    environment:
      () => `# Seals the secrets of one-time codes. Production has another: openssl rand -base64 32
SECRETS=${randomBytes(32).toString('base64')}
`,
  },
  passkeys: { packages: { '@simplewebauthn/server': '^14.0.0' } },
  company: {
    packages: { jose: '^6.2.0', 'openid-client': '^6.8.0' },
    environment:
      () => `# The sign-in of a company. It sends people back to /login/with/company/return of this site.
#OPENID_ISSUER=https://login.example
#OPENID_CLIENT_ID=items
#OPENID_CLIENT_SECRET=
`,
  },
};

export const WAY_NAMES = /** @type {readonly Way[]} */ (Object.keys(WAYS));

/**
 * A list such as `link, codes`. A password is always there, and may be named.
 * @param {string} text
 * @returns {readonly Way[]}
 */
export function parseWays(text) {
  const names = text.toLowerCase().split(/[\s,]+/);
  const wrong = names.find((name) => name !== '' && name !== 'password' && !isWay(name));
  if (wrong === undefined) return WAY_NAMES.filter((way) => names.includes(way));
  throw new Refusal(
    `Cannot use the way of signing in ${JSON.stringify(wrong)}: choose ${['password', ...WAY_NAMES].join(' or ')}, or several with commas between them.`,
  );
}

/** @param {string} name */
function isWay(name) {
  return Object.hasOwn(WAYS, name);
}

/**
 * The marks of the lines in the templates.
 * @param {readonly Way[]} ways
 * @returns {Readonly<Record<string, boolean>>}
 */
export function toMarks(ways) {
  const chosen = WAY_NAMES.map((way) => /** @type {const} */ ([way, ways.includes(way)]));
  const settings = ways.some((way) => WAYS[way].environment !== undefined);
  return { ...Object.fromEntries(chosen), settings };
}

/** @param {readonly Way[]} ways */
export function toPackages(ways) {
  return Object.assign({}, ...ways.map((way) => WAYS[way].packages));
}

/**
 * Lines of the file `.env`.
 * @param {readonly Way[]} ways
 */
export function toEnvironment(ways) {
  return ways.flatMap((way) => WAYS[way].environment?.() ?? []).join('\n');
}
