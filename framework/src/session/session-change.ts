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
      readonly data: object;
    }
  | { readonly kind: 'end' }
  | { readonly kind: 'renew' }
  | { readonly kind: 'flash'; readonly flash: Flash; readonly isFallback?: boolean }
  | { readonly kind: 'await'; readonly flash: Pick<Flash, 'id'> }
  | { readonly kind: 'draft'; readonly draft: Draft | null }
  | { readonly kind: 'data'; readonly data: object };

/** What `startSession` puts into the new session besides the user. */
export interface StartOptions<Data extends object = object> {
  /** "Stay logged in": longer lifetimes. */
  readonly remembered?: boolean;
  readonly draft?: Draft | null;
  /** Empty by default. */
  readonly data?: Data & Json<Data>;
}

/** `T` where it is JSON; `never` for anything else, such as a `Date` or a function. */
export type Json<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends (...given: never) => unknown
    ? never
    : T extends object
      ? { readonly [Name in keyof T]: Json<T[Name]> }
      : never;

const START_KINDS = {
  remembered: FLAG,
  draft: or(OBJECT, null),
  data: OBJECT,
} satisfies OptionKinds<StartOptions>;

/**
 * Logs the user in under a new id. An earlier session of the browser ends; if it was of the same
 * user, its draft moves to the new one unless `draft` is given.
 */
export function startSession<Data extends object>(
  user: SessionUser,
  options: StartOptions<Data> = {},
): KnownChange {
  checkOptions('startSession', options, START_KINDS);
  const { remembered = false, draft = null, data = NO_DATA } = options;
  return { kind: 'start', user, remembered, draft, data };
}

const NO_DATA = Object.freeze({}) as never;

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

/** The fields of the data to change; `undefined` removes one. */
export type DataChange<Data> = { readonly [Name in keyof Data]?: Data[Name] | undefined };

/**
 * Changes only the given fields of the session's data, so concurrent requests can change different
 * fields. The session of the context is passed for the types of the fields.
 */
export function setData<Data extends object>(
  _session: { readonly data: Data },
  data: DataChange<Data> & Json<DataChange<Data>>,
): KnownChange {
  return { kind: 'data', data };
}

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
