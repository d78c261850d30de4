/**
 * Passwords in Argon2id (RFC 9106), 19 MiB, two passes, one lane, as a PHC string. A hash is made
 * to be slow, so that many at once would stop the service: two run at a time, some wait, and what
 * comes on top is refused.
 */
import crypto from 'node:crypto';
import { promisify } from 'node:util';

/** Too many passwords are being checked already. */
export class PasswordQueueFull extends Error {
  override readonly name = 'PasswordQueueFull';
}

const MEMORY = 19_456;
const PASSES = 2;
const LANES = 1;
const HASH_LENGTH = 32;
const PREFIX = `$argon2id$v=19$m=${MEMORY},t=${PASSES},p=${LANES}$`;

const AT_ONCE = 2;
const LONGEST_QUEUE = 50;

let running = 0;
const waiting: (() => void)[] = [];

/** A PHC string. Rejects with PasswordQueueFull when too many are waiting. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.randomBytes(16);
  const hash = await derive(password, salt);
  return `${PREFIX}${encode(salt)}$${encode(hash)}`;
}

/** Whether the password is the one that was hashed. It takes as long when there is no hash at all. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [salt = '', hash = ''] = (stored ?? NOBODY).slice(PREFIX.length).split('$');
  const derived = await derive(password, Buffer.from(salt, 'base64'));
  const expected = Buffer.from(hash, 'base64');
  return crypto.timingSafeEqual(derived, expected) && stored !== null;
}

/** Stands in for the hash of an account that does not exist. */
const NOBODY = `${PREFIX}${encode(crypto.randomBytes(16))}$${encode(crypto.randomBytes(HASH_LENGTH))}`;

const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A password of 100 random bits that can be read out: no letter in it looks like another. */
export function createPassword(): string {
  const letters = [...crypto.randomBytes(20)].map((byte) => LETTERS[byte % LETTERS.length]);
  return letters.join('').replace(/.{5}(?!$)/g, '$&-');
}

async function derive(password: string, salt: Uint8Array): Promise<Buffer> {
  await takeTurn();
  try {
    // Looked up here: an older Node, which has no argon2, shall still load this file and be refused
    // in words.
    return await promisify(crypto.argon2)('argon2id', {
      message: password,
      nonce: salt,
      memory: MEMORY,
      passes: PASSES,
      parallelism: LANES,
      tagLength: HASH_LENGTH,
    });
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}

async function takeTurn(): Promise<void> {
  if (running < AT_ONCE) {
    running++;
    return;
  }
  if (waiting.length >= LONGEST_QUEUE)
    throw new PasswordQueueFull('Too many passwords are being checked at once.');
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  await promise;
}

/** Base64 without padding, as PHC strings have it. */
function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
