/**
 * Password hashes: Argon2id (RFC 9106) where `node:crypto` has it, from Node 24.7, and scrypt (RFC 7914) elsewhere.
 * Hashing is slow on purpose, so requests use the queue of hash-queue.ts.
 *
 * A hash is a PHC string, which contains its algorithm and cost. One from before the cost was raised is checked at its
 * own cost, and `needsRehash` says that the next log-in should make it anew.
 */
import crypto from 'node:crypto';
import { promisify } from 'node:util';
import { measure } from '../events/events.ts';
import { toNfc } from '../field/normalize-text.ts';
import { checkOptions, OBJECT, type OptionKinds, oneOf } from '../http/check-options.ts';

export interface Argon2Cost {
  /** In KiB. */
  readonly memory: number;
  /** Passes over the memory. */
  readonly passes: number;
}

/** The names are those of PHC strings: a hash takes `128 * r * 2 ** ln` bytes. */
export interface ScryptCost {
  /** The logarithm of the cost N to the base 2. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** How passwords are hashed. A hash with other costs is verified, too. */
export interface PasswordOptions {
  /** Of new hashes. By default `argon2id`, and `scrypt` on a runtime without it. */
  readonly algorithm?: 'argon2id' | 'scrypt';
  /** By default 19 MiB and two passes, the minimum of OWASP's Password Storage Cheat Sheet. */
  readonly argon2id?: Argon2Cost;
  /** By default `{ ln: 17, r: 8, p: 1 }`, of the same cheat sheet: 128 MiB. */
  readonly scrypt?: ScryptCost;
}

const PASSWORD_KINDS: OptionKinds<PasswordOptions> = {
  algorithm: oneOf('argon2id', 'scrypt'),
  argon2id: OBJECT,
  scrypt: OBJECT,
};

/** Makes and checks hashes of passwords. */
export interface Passwords {
  /** Resolves to a PHC string. */
  readonly hash: (password: string) => Promise<string>;
  /**
   * Whether the password matches the hash, in whichever form of Unicode it was typed. With null, for an account that
   * does not exist or has no password, it resolves to false and takes as long as for a new hash. Rejects for text that
   * is no hash, and for an Argon2id hash on a runtime without it.
   */
  readonly verify: (password: string, stored: string | null) => Promise<boolean>;
  /**
   * Whether the hash has another algorithm or another cost than a new one, in either direction: accounts whose hashes
   * differ in cost can be told from names that do not exist by the time of the answer.
   */
  readonly needsRehash: (stored: string) => boolean;
}

type Cost =
  | { readonly algorithm: 'argon2id'; readonly m: number; readonly t: number; readonly p: number }
  | { readonly algorithm: 'scrypt'; readonly ln: number; readonly r: number; readonly p: number };

const HASH_LENGTH = 32;
/** Bytes. A shorter hash would match by chance. */
const MIN_HASH_LENGTH = 16;
const MIN_SALT_LENGTH = 8;
const ARGON2ID = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
const SCRYPT = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Throws if `argon2id` is asked for and the runtime lacks it. */
export function createPasswords(options: PasswordOptions = {}): Passwords {
  checkOptions('createPasswords', options, PASSWORD_KINDS);
  const { algorithm = hasArgon2() ? 'argon2id' : 'scrypt' } = options;
  const { memory, passes } = options.argon2id ?? { memory: 19_456, passes: 2 };
  const cost: Cost =
    algorithm === 'argon2id'
      ? { algorithm, m: memory, t: passes, p: 1 }
      : { algorithm, ...(options.scrypt ?? { ln: 17, r: 8, p: 1 }) };
  if (algorithm === 'argon2id' && !hasArgon2())
    throw new Error(
      'Cannot hash passwords with Argon2id: this runtime lacks it. Use Node 24.7 or newer, or leave out `algorithm`.',
    );
  /** Stands in for the hash of an account that does not exist. */
  const nobody = { cost, salt: crypto.randomBytes(16), hash: crypto.randomBytes(HASH_LENGTH) };

  return {
    async hash(password) {
      const salt = crypto.randomBytes(16);
      return toPhc(cost, salt, await derive(toOneForm(password), salt, cost, HASH_LENGTH));
    },
    async verify(password, stored) {
      const { salt, hash, cost: own } = stored === null ? nobody : parsePhc(stored);
      // Some older hashes are of what was typed. Both are always tried, so the time tells nothing of the account.
      let matches = false;
      for (const form of new Set([toOneForm(password), password])) {
        const derived = await derive(form, salt, own, hash.length);
        matches = crypto.timingSafeEqual(derived, hash) || matches;
      }
      return matches && stored !== null;
    },
    needsRehash(stored) {
      const { cost: own, hash } = parsePhc(stored);
      return describeCost(own) !== describeCost(cost) || hash.length !== HASH_LENGTH;
    },
  };
}

/** Node 22, Node 24 before 24.7 and some other runtimes lack it, whatever the types say. */
function hasArgon2(): boolean {
  return typeof (crypto as Partial<typeof crypto>).argon2 === 'function';
}

/**
 * Keyboards write the same letter and the same space in several forms. This is the OpaqueString of RFC 8265 section
 * 4.2, but for what it refuses.
 */
export function toOneForm(password: string): string {
  return toNfc(password.replaceAll(/\p{Zs}/gu, ' '));
}

function toPhc(cost: Cost, salt: Buffer, hash: Buffer): string {
  return `${describeCost(cost)}$${encode(salt)}$${encode(hash)}`;
}

/** The beginning of a PHC string. */
function describeCost(cost: Cost): string {
  return cost.algorithm === 'argon2id'
    ? `$argon2id$v=19$m=${cost.m},t=${cost.t},p=${cost.p}`
    : `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}`;
}

function parsePhc(text: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const found = ARGON2ID.exec(text) ?? SCRYPT.exec(text);
  const [first = 0, second = 0, p = 0] = (found ?? []).slice(1, 4).map(Number);
  const [salt, hash] = (found ?? []).slice(4).map((part) => Buffer.from(part, 'base64'));
  if (
    salt === undefined ||
    hash === undefined ||
    salt.length < MIN_SALT_LENGTH ||
    hash.length < MIN_HASH_LENGTH
  )
    throw new Error(
      'Cannot check a password: the stored text is neither an Argon2id nor a scrypt hash. Set a new one.',
    );
  const cost: Cost = text.startsWith('$argon2id')
    ? { algorithm: 'argon2id', m: first, t: second, p }
    : { algorithm: 'scrypt', ln: first, r: second, p };
  return { cost, salt, hash };
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A password of 140 random bits, easy to read aloud: no two of its characters look alike. */
export function createPassword(): string {
  const letters = [...crypto.randomBytes(28)].map((byte) => LETTERS[byte % LETTERS.length]);
  return letters.join('').replace(/.{4}(?!$)/g, '$&-');
}

function derive(password: string, salt: Buffer, cost: Cost, length: number): Promise<Buffer> {
  return measure('password hash', async () =>
    cost.algorithm === 'argon2id'
      ? deriveArgon2(password, salt, cost, length)
      : deriveScrypt(password, salt, cost, length),
  );
}

function deriveArgon2(
  message: string,
  nonce: Buffer,
  { m: memory, t: passes, p: parallelism }: Cost & { readonly algorithm: 'argon2id' },
  tagLength: number,
): Promise<Buffer> {
  if (!hasArgon2())
    throw new Error(
      'Cannot check a password: its hash is one of Argon2id, which this runtime lacks. Run the site on Node 24.7 or newer, or set a new password.',
    );
  const options = { message, nonce, memory, passes, parallelism, tagLength };
  // Not imported by name: a runtime without it must load this file.
  return promisify(crypto.argon2)('argon2id', options);
}

function deriveScrypt(
  password: string,
  salt: Buffer,
  { ln, r, p }: Cost & { readonly algorithm: 'scrypt' },
  length: number,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const N = 2 ** ln;
  // What OpenSSL counts: its blocks, those of each lane, and a little more.
  const options = { N, r, p, maxmem: 128 * r * (N + p + 2) + 1_024 };
  crypto.scrypt(password, salt, length, options, (error, hash) => {
    if (error) reject(error);
    else resolve(hash);
  });
  return promise;
}

/** Base64 without padding, as in PHC strings. */
function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
