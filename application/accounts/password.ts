/**
 * Password hashes: Argon2id (RFC 9106) with 19 MiB, two passes and one lane, as a PHC string.
 * Hashing is slow on purpose, so requests use the queue of hash-queue.ts.
 *
 * A PHC string contains the cost of its hash. A hash from before the cost was raised is checked at
 * its own cost.
 */
import crypto from 'node:crypto';
import { promisify } from 'node:util';
import { measure } from 'seeother/observe';

export interface PasswordCost {
  /** In KiB. */
  readonly memory: number;
  /** Passes over the memory. */
  readonly passes: number;
}

/** The minimum of OWASP's Password Storage Cheat Sheet. */
const COST: PasswordCost = { memory: 19_456, passes: 2 };
const HASH_LENGTH = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Resolves to a PHC string. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = crypto.randomBytes(16);
  return toPhc(cost, salt, await derive(toOneForm(password), salt, cost));
}

/**
 * Keyboards write the same letter and the same space in several forms. This is the OpaqueString of RFC 8265 section
 * 4.2, but for what it refuses.
 */
export function toOneForm(password: string): string {
  return password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');
}

/**
 * Whether the password matches the hash, in whichever form of Unicode it was typed. With null
 * instead of a hash, it resolves to false and takes as long as for a hash of this cost.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  cost = COST,
): Promise<boolean> {
  const { salt, hash, ...own } = stored === null ? { ...NOBODY, cost } : parsePhc(stored);
  // Hashes of earlier versions are of what was typed. Both are always tried, so the time tells nothing of the account.
  let matches = false;
  for (const form of new Set([toOneForm(password), password])) {
    const derived = await derive(form, salt, own.cost);
    matches = crypto.timingSafeEqual(derived, hash) || matches;
  }
  return matches && stored !== null;
}

function toPhc({ memory, passes }: PasswordCost, salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${encode(salt)}$${encode(hash)}`;
}

function parsePhc(text: string) {
  const [, memory, passes, salt = '', hash = ''] = PHC.exec(text) ?? [];
  if (memory === undefined)
    throw new Error(
      'Cannot check a password: the stored text is not an Argon2id hash. Set a new one.',
    );
  return {
    cost: { memory: Number(memory), passes: Number(passes) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

/** Stands in for the hash of an account that does not exist. */
const NOBODY = { salt: crypto.randomBytes(16), hash: crypto.randomBytes(HASH_LENGTH) };

const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A password of 140 random bits, easy to read aloud: no two of its characters look alike. */
export function createPassword(): string {
  const letters = [...crypto.randomBytes(28)].map((byte) => LETTERS[byte % LETTERS.length]);
  return letters.join('').replace(/.{4}(?!$)/g, '$&-');
}

async function derive(
  password: string,
  salt: Uint8Array,
  { memory, passes }: PasswordCost,
): Promise<Buffer> {
  // Not imported by name: an older Node, which has no argon2, must load this file to reach the
  // check that reports the version.
  return measure('password hash', () =>
    promisify(crypto.argon2)('argon2id', {
      message: password,
      nonce: salt,
      memory,
      passes,
      parallelism: 1,
      tagLength: HASH_LENGTH,
    }),
  );
}

/** Base64 without padding, as in PHC strings. */
function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
