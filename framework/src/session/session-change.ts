/**
 * Changes of the session, as values on a response. `loadSession` applies them in their order before
 * the response is sent. Changes after `startSession` apply to the new session. For a visitor
 * without a session a message goes into a cookie, and every other change is dropped: the server
 * stores nothing before a log-in.
 */
import { checkOptions, FLAG, OBJECT, type OptionKinds, or } from '../http/check-options.ts';
import type { Href } from '../http/href.ts';
import { type Response, withSession } from '../http/response.ts';
import { createFlash } from './flash.ts';
import type { Draft, Flash, FlashAction, SessionUser } from './session.ts';

/** All kinds of change. A response holds them as the opaque type `SessionChange`. */
export type KnownChange =
  | {
      readonly kind: 'start';
      readonly user: SessionUser;
      readonly remembered: boolean;
      readonly draft: Draft | null;
    }
  | { readonly kind: 'end' }
  | { readonly kind: 'renew' }
  | { readonly kind: 'flash'; readonly flash: Flash; readonly isFallback?: boolean }
  | { readonly kind: 'await'; readonly flash: Pick<Flash, 'id'> }
  | { readonly kind: 'draft'; readonly draft: Draft | null };

/** What `startSession` puts into the new session besides the user. */
export interface StartOptions {
  /** "Stay logged in": longer lifetimes. */
  readonly remembered?: boolean;
  readonly draft?: Draft | null;
}

const START_KINDS = {
  remembered: FLAG,
  draft: or(OBJECT, null),
} satisfies OptionKinds<StartOptions>;

/**
 * Logs the user in under a new id. The user may have fields of your own, such as a role. An earlier session of the
 * browser ends; if it was of the same user, its draft moves to the new one unless `draft` is given.
 */
export function startSession<User extends SessionUser>(
  user: User,
  options: StartOptions = {},
): KnownChange {
  checkOptions('startSession', options, START_KINDS);
  const { remembered = false, draft = null } = options;
  return { kind: 'start', user, remembered, draft };
}

/** Logs out: deletes the session from the store and clears the cookie. */
export const endSession: KnownChange = { kind: 'end' };

/**
 * Gives the session a new id, for a change of password. For 10 seconds the old id can still read
 * pages and repeat the form that was carried out.
 */
export const renewSession: KnownChange = { kind: 'renew' };

/**
 * Adds a message for the page at the path, or with null for the next page, whichever it is, cut to 500
 * characters. A session holds ten; a further one removes the oldest. A visitor without a session has it in a cookie,
 * for five minutes. For a redirect, `withFlash` is shorter. With `action`, the page has a button below the message; a
 * visitor without a session gets none.
 */
export function addFlash(path: Href | null, message: string, action?: FlashAction): KnownChange {
  return storeFlash(createFlash(path, message, action));
}

export function storeFlash(flash: Flash): KnownChange {
  return { kind: 'flash', flash };
}

/** Like `addFlash`, unless the page is to show another message already. */
export function addFallbackFlash(path: Href, message: string): KnownChange {
  return { kind: 'flash', flash: createFlash(path, message), isFallback: true };
}

/** Makes the browser await a message that is in the session already, written in a transaction of its form. */
export function awaitFlash(flash: Pick<Flash, 'id'>): KnownChange {
  return { kind: 'await', flash };
}

/** Replaces the draft of the session. */
export function keepDraft(draft: Draft): KnownChange {
  return { kind: 'draft', draft };
}

/** Removes the draft of the session, for `withSession`. */
export const dropDraft: KnownChange = { kind: 'draft', draft: null };

/**
 * Adds a message for the page that the redirect leads to. Throws unless that is a path on this
 * site.
 */
export function withFlash<R extends Response>(
  response: R,
  message: string,
  action?: FlashAction,
): R {
  const { Location: location } = response.headers;
  if (typeof location !== 'string' || !location.startsWith('/')) {
    throw new TypeError(
      `Cannot add the message ${JSON.stringify(message)} to a response that does not redirect to a page of this site. Use seeOther(path), or addFlash(path, message).`,
    );
  }
  return withSession(response, addFlash(location as Href, message, action));
}
