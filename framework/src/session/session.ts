/**
 * A session holds the logged-in user. It is a readonly value: `loadSession` adds it to the context,
 * and a handler changes it through its response, `withSession(response, startSession(user))`.
 * A visitor who has not logged in has no session and no cookie.
 */

import type { Href } from '../http/href.ts';
import type { Request } from '../http/request.ts';
import { Slot } from '../http/slot.ts';

/**
 * What the framework knows of a user. An application's own type may add fields, such as a role. A store
 * returns them as they were at the log-in, or reads them anew. The ids of an application are all numbers or
 * all strings.
 */
export interface SessionUser {
  readonly id: string | number;
  readonly name: string;
  /**
   * The version of the account that the log-in checked, which changes with the password. A store
   * that has a newer version refuses to start the session.
   */
  readonly version?: string;
}

/**
 * A user's log-in in one browser. `User` is the application's own type of a user.
 */
export interface Session<User extends SessionUser = SessionUser> {
  /** SHA-256 of the token in the cookie, in hexadecimal. */
  readonly key: string;
  readonly user: User;
  readonly startedAt: Date;
  /** The time of the last request, up to a minute old. */
  readonly seenAt: Date;
  /** The earlier of its idle timeout and its absolute timeout. A request moves the idle timeout. */
  readonly endsAt: Date;
  /** "Stay logged in": longer lifetimes. */
  readonly remembered: boolean;
  /** The User-Agent header of the log-in, cut to 200 characters; empty without one. */
  readonly agent: string;
  /** The IP address of the log-in. */
  readonly address: string;
  /** Messages that no page has shown yet, or whose page may have been lost on the way, oldest first. */
  readonly flashes: readonly Flash[];
  readonly draft: Draft | null;
  /**
   * Whether the session was renewed under a new id. Under this old one, a client can read pages for
   * a few seconds and repeat a form that was carried out before (`onlyOnce`).
   */
  readonly superseded: boolean;
}

/** A message that the page at `path` shows once: see flash.ts. */
export interface Flash {
  /** By which the browser awaits it; empty for a visitor's, which is in a cookie. */
  readonly id: string;
  /** Whether a page with it was sent. It is shown again only if the browser did not get that page. */
  readonly isShown?: boolean;
  /** In the form of `request.path`: decoded, without the query. Empty for the next page, whichever it is. */
  readonly path: string;
  readonly message: string;
  readonly action?: { readonly label: string; readonly path: string };
}

/** What the user can do about a message, such as Undo: a button, whose form is sent to `path`. */
export interface FlashAction {
  readonly label: string;
  readonly path: Href;
}

/** The text of a form that was sent without a session, to be restored after the log-in. */
export interface Draft {
  /** The path that the form was sent to, not decoded. */
  readonly action: string;
  /** The page with the form; it may have a query. */
  readonly path: string;
  /** The text of each field by its name, or by its path within a group or a row; a list where it has several. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  /** The idempotency key of the form; null when it had none. */
  readonly once: string | null;
  /** The code of the language in which the text was typed. */
  readonly language: string;
}

/** What `loadSession` adds to the context. */
export interface SessionContext<User extends SessionUser = SessionUser> {
  readonly session: Session<User> | null;
  /** The message for this page. */
  readonly flash: string | null;
  /** The action of the newest message for this page that has one. */
  readonly flashAction: FlashAction | null;
}

export const sessionSlot: Slot<Pick<Session, 'user'> | null> = new Slot(null);

/**
 * The session that `loadSession` has found for the request; null without one. An error page asks for it, because its
 * context has no `session`.
 */
export function sessionOf(request: Request): Pick<Session, 'user'> | null {
  return sessionSlot.of(request);
}

/**
 * Whether the request has the old id of a renewed session, and counts as that of a visitor on a route without
 * `onlyOnce`. What is counted there must refuse it: a copy of the request would count as another sender's.
 */
export const supersededSlot: Slot<boolean> = new Slot(false);

/** What `requireSession` adds to the context. */
export interface LoggedIn<User extends SessionUser = SessionUser> {
  readonly session: Session<User>;
}
