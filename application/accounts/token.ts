/**
 * Secrets that a browser or a link carries: 256 random bits. The database holds their SHA-256 alone,
 * so that nobody can use what a copy of it gives away. On a page a row goes by another hash, its
 * public id, which opens nothing.
 */
import { createHash, randomBytes } from 'node:crypto';

/** 43 characters of base64url. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether the text has the shape of a token; anything else is not looked up at all. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** The key under which what belongs to the token is kept, in hexadecimal. */
export function toKey(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Names the row of a key in a page or a form, without giving the key away. */
export function toPublicId(key: string): string {
  return createHash('sha256').update(`public id of ${key}`).digest('base64url').slice(0, 22);
}
