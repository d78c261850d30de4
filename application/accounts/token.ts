/**
 * Tokens: secrets of 256 random bits in a cookie or a link. The database holds only their SHA-256,
 * so a leaked copy of it cannot be used to log in. Pages and forms name a row by its public id,
 * another hash, which gives no access.
 */
import { createHash, randomBytes } from 'node:crypto';

/** 43 characters of base64url. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether the text has the format of a token. The database is not asked about anything else. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** The key of the token's row: its SHA-256 in hexadecimal. */
export function toKey(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The public id of the row with the key. The key cannot be derived from it. */
export function toPublicId(key: string): string {
  return createHash('sha256').update(`public id of ${key}`).digest('base64url').slice(0, 22);
}
