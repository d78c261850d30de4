/**
 * What a response makes of the session, as values: any number on one response, carried out in their
 * order by `loadSession` before it leaves. A change for a visitor without a session is dropped, for
 * nothing is stored for strangers; what comes after `startSession` is for the new session.
 */
import type { Href } from '../http/href.ts';
import { type Response, withSession } from '../http/response.ts';
import { createFlash } from './flash.ts';
import type { Draft, Flash, SessionUser } from './session.ts';

/** Every change there is. A response carries them as `SessionChange`, whose parts only this folder knows. */
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
  | { readonly kind: 'flash'; readonly flash: Flash }
  | { readonly kind: 'draft'; readonly draft: Draft | null }
  | { readonly kind: 'data'; readonly data: object };

export interface StartOptions<Data extends object = object> {
  /** "Stay logged in": longer lifetimes. */
  readonly remembered?: boolean;
  readonly draft?: Draft | null;
  /** None unless said otherwise. */
  readonly data?: Data & Json<Data>;
}

/** `T` itself where it is JSON; what is not, such as a `Date` or a function, fits nothing here. */
export type Json<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends (...given: never) => unknown
    ? never
    : T extends object
      ? { readonly [Name in keyof T]: Json<T[Name]> }
      : never;

/**
 * Logs the user in, under a new id; a session that the browser had before ends. Without a draft, the
 * same user keeps the one that it held.
 */
export function startSession<Data extends object>(
  user: SessionUser,
  { remembered = false, draft = null, data = NO_DATA }: StartOptions<Data> = {},
): KnownChange {
  return { kind: 'start', user, remembered, draft, data };
}

const NO_DATA = Object.freeze({}) as never;

/** Logs out: the session ends on the server too. */
export const endSession: KnownChange = { kind: 'end' };

/**
 * The same session under a new id, for a change of password. For 10 seconds the old id reads pages and
 * gets an answer to the form that was carried out; then it is dead.
 */
export const renewSession: KnownChange = { kind: 'renew' };

/**
 * Leaves a message for the page at the path, cut to 500 characters. Ten wait at most. Usually
 * `withFlash` says it in one.
 */
export function addFlash(path: Href, message: string): KnownChange {
  return { kind: 'flash', flash: createFlash(path, message) };
}

/** Puts the draft in the place of the one that the session holds. */
export function keepDraft(draft: Draft): KnownChange {
  return { kind: 'draft', draft };
}

export const dropDraft: KnownChange = { kind: 'draft', draft: null };

/** The fields of the data that change; `undefined` takes one out. */
export type DataChange<Data> = { readonly [Name in keyof Data]?: Data[Name] | undefined };

/**
 * Changes the named fields of the session's data, and no others: of two requests at once, each changes
 * its own. The session of the context says what the fields are.
 */
export function setData<Data extends object>(
  _session: { readonly data: Data },
  data: DataChange<Data> & Json<DataChange<Data>>,
): KnownChange {
  return { kind: 'data', data };
}

/** Leaves a message for the page that the redirect leads to. Throws unless it is one on this site. */
export function withFlash<R extends Response>(response: R, message: string): R {
  const { Location: location } = response.headers;
  if (typeof location !== 'string' || !location.startsWith('/')) {
    throw new TypeError(
      `Cannot leave the message ${JSON.stringify(message)} with an answer that leads to no page of this site. Use it with seeOther(path), or use addFlash(path, message).`,
    );
  }
  return withSession(response, addFlash(location as Href, message));
}
