/**
 * A session says who is logged in. It is a value: middleware finds it, handlers read it, and a
 * handler that changes it says so in its response (`withSession(response, startSession(user))`).
 *
 * The cookie carries 256 random bits; everything else knows only their SHA-256, so that nobody can
 * log in with what a database or a log gives away. A visitor who has not logged in has no session
 * and no cookie.
 */
import { hash, randomBytes } from 'node:crypto';

/**
 * An application's own type may add to it, such as a role. The ids of an application are all numbers
 * or all texts. A store keeps what is added as it was at the log-in, or looks it up.
 */
export interface SessionUser {
  readonly id: string | number;
  readonly name: string;
  /**
   * What the log-in was checked against, such as the version of a password. A store that knows of a
   * newer one starts no session.
   */
  readonly version?: string;
}

/** `User` is the application's own type of a user, `Data` what else it remembers in a session, as JSON. */
export interface Session<User extends SessionUser = SessionUser, Data = unknown> {
  /** SHA-256 of the token in the cookie, in hexadecimal. */
  readonly key: string;
  readonly user: User;
  /**
   * Empty at the log-in unless `startSession` is given some; `setData` changes it. Any field may be
   * missing, because a session may be older than the release that added the field.
   */
  readonly data: Readonly<Partial<Data>>;
  readonly startedAt: Date;
  /** The last request, to the minute. */
  readonly seenAt: Date;
  /** When it ends unless it is seen again: the earlier of its idle and its absolute end. */
  readonly endsAt: Date;
  /** "Stay logged in": longer lifetimes. */
  readonly remembered: boolean;
  /** What the browser called itself at the log-in, or an empty text; 200 characters at most. */
  readonly agent: string;
  /** The IP address of the log-in. */
  readonly address: string;
  /** Messages that wait for the page they are bound to, oldest first. */
  readonly flashes: readonly Flash[];
  readonly draft: Draft | null;
  /**
   * Whether the session goes on under a new id. What is left under this one reads pages for a few
   * seconds, and gets an answer to a form that was carried out before (`onlyOnce`).
   */
  readonly superseded: boolean;
}

/** A message that waits for the page at its path: see flash.ts. */
export interface Flash {
  /** As `request.path` has it: decoded, without the query. */
  readonly path: string;
  readonly message: string;
}

/** What was typed into a form that was sent without a session: see draft.ts. */
export interface Draft {
  /** The path that the form was sent to, as it stands in the address. */
  readonly action: string;
  /** The page with the form. */
  readonly path: string;
  /** Each field as it was typed, by its name. */
  readonly fields: Readonly<Record<string, string>>;
  /** The form's own key, so that it still counts once; null when it had none. */
  readonly once: string | null;
}

/** What `loadSession` adds to the context. */
export interface SessionContext<User extends SessionUser = SessionUser, Data = unknown> {
  readonly session: Session<User, Data> | null;
  /** The message for this page, taken out of the session: it is not shown again. */
  readonly flash: string | null;
}

/** What `requireSession` adds to the context. */
export interface LoggedIn<User extends SessionUser = SessionUser, Data = unknown> {
  readonly session: Session<User, Data>;
}

/** A new token: 256 random bits, as 43 characters of base64url. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The key under which the session of a token is stored. */
export function toSessionKey(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Whether the text has the shape of a token; anything else is not looked up at all. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}
