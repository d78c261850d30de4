/**
 * A flash: a message that one response leaves for the page it leads to. It is bound to that page's
 * path, so that no other tab takes it, and it leaves the session when the page is asked for, so that
 * it is shown once.
 *
 * The hard case: the page asked for turns out to be none (an error, another redirect, a file). Then
 * the message goes back, and waits on.
 */
import type { Href } from '../http/href.ts';
import { isPageType } from '../http/page-type.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { readTarget } from '../http/target.ts';
import type { Flash, Session } from './session.ts';

/** How many messages wait at most; the oldest goes first. */
export const MOST_FLASHES = 10;
/** Characters of a message. */
export const LONGEST_FLASH = 500;

/** A message for the page at `target`. */
export function createFlash(target: Href, message: string): Flash {
  const text = [...message.slice(0, 2 * LONGEST_FLASH)].slice(0, LONGEST_FLASH).join('');
  return { path: readTarget(target, undefined).path, message: text };
}

/** The session with one more message. The same message for the same page is kept once. */
export function withAddedFlash<S extends Session>(session: S, flash: Flash): S {
  return withFlashes(session, [...session.flashes.filter((one) => !isSame(one, flash)), flash]);
}

/** Whether a message waits that the answer to this request may show. */
export function hasFlashFor({ flashes }: Session, request: Request): boolean {
  return canShowFlash(request) && flashes.some(({ path }) => path === request.path);
}

/** The session without the messages for the path, and those messages. */
export function takeFlashes<S extends Session>(
  session: S,
  path: string,
): { readonly rest: S; readonly taken: readonly Flash[] } {
  const taken = session.flashes.filter((one) => one.path === path);
  const rest = session.flashes.filter((one) => one.path !== path);
  return { rest: taken.length === 0 ? session : { ...session, flashes: rest }, taken };
}

/** The session with messages that were taken and not shown, before those that came meanwhile. */
export function withReturnedFlashes<S extends Session>(session: S, taken: readonly Flash[]): S {
  const newer = session.flashes.filter((one) => !taken.some((other) => isSame(one, other)));
  return withFlashes(session, [...taken, ...newer]);
}

function withFlashes<S extends Session>(session: S, flashes: readonly Flash[]): S {
  return { ...session, flashes: flashes.slice(-MOST_FLASHES) };
}

function isSame(one: Flash, other: Flash): boolean {
  return one.path === other.path && one.message === other.message;
}

/** What the page shows; null for nothing. */
export function toText(taken: readonly Flash[]): string | null {
  return taken.length === 0 ? null : taken.map(({ message }) => message).join(' ');
}

/** Whether somebody looks at the answer: a GET that the browser has not made ahead of time. */
export function canShowFlash(request: Request): boolean {
  const purpose = request.headers['sec-purpose'] ?? '';
  return request.method === 'GET' && !/\bprefetch\b/i.test(purpose);
}

/** Whether the answer is a page that has shown what it was given. */
export function hasShownFlash({ status, headers }: Response): boolean {
  const type = String(headers['Content-Type'] ?? '');
  return status >= 200 && status <= 299 && isPageType(type);
}
