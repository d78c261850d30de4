/**
 * Tokens: secrets of 256 random bits in a cookie or a link. Only the browser has one. Databases and logs have its
 * SHA-256, so a leaked copy of them gives no access.
 */
import { hash, randomBytes } from 'node:crypto';

/** A new token: 256 random bits, as 43 characters of base64url. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether the text has the format of a token. Ask the database about nothing else. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** The key under which the row of a token is stored: its SHA-256, in hexadecimal. */
export function toTokenKey(token: string): string {
  return hash('sha256', token, 'hex');
}
