/**
 * A session says who is logged in. It is a value: middleware finds it, handlers read it, and a
 * handler that changes it says so in its response (`withSession(response, startSession(user))`).
 *
 * The cookie carries 256 random bits; everything else knows only their SHA-256, so that nobody can
 * log in with what a database or a log gives away. A visitor who has not logged in has no session
 * and no cookie.
 */
import { createHash, randomBytes } from 'node:crypto';

export interface SessionUser {
  readonly id: number;
  readonly username: string;
}

export interface Session {
  /** SHA-256 of the token in the cookie, in hexadecimal. */
  readonly key: string;
  readonly user: SessionUser;
  readonly startedAt: Date;
  /** The last request, to the minute. */
  readonly seenAt: Date;
  /** "Stay logged in": longer lifetimes. */
  readonly remembered: boolean;
}

/** What a response makes of the session. */
export type SessionChange =
  | { readonly kind: 'start'; readonly user: SessionUser; readonly remembered: boolean }
  | { readonly kind: 'end' };

/** What `loadSession` adds to the context. */
export interface SessionContext {
  readonly session: Session | null;
}

/** What `requireSession` adds to the context. */
export interface LoggedIn {
  readonly session: Session;
}

/** Logs the user in, under a new id; a session that the browser had before ends. */
export function startSession(user: SessionUser, remembered = false): SessionChange {
  return { kind: 'start', user, remembered };
}

/** Logs out: the session ends on the server too. */
export const endSession: SessionChange = { kind: 'end' };

/** A new token: 256 random bits, as 43 characters of base64url. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The key under which the session of a token is stored. */
export function toSessionKey(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whether the text has the shape of a token; anything else is not looked up at all. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}
