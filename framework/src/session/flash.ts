/**
 * A flash is a message that a response stores for the page that it redirects to. It is bound to the
 * path of that page, so another tab does not show it; one without a path is for the next page, whichever
 * it is. It is shown once. A page that was sent may never arrive, so a shown message stays in the session for
 * as long as the browser awaits it: see awaited-flashes.ts.
 */
import { randomBytes } from 'node:crypto';
import { type Href, localPath } from '../http/href.ts';
import { isPageType } from '../http/page-type.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { readTarget } from '../http/target.ts';
import { readAwaitedFlashes } from './awaited-flashes.ts';
import type { Flash, FlashAction, Session } from './session.ts';

/** Messages of a session. A further one removes the oldest. */
export const MAX_FLASHES = 10;
/** Characters of a message. */
export const MAX_FLASH_LENGTH = 500;

/** A session, or the cookie of a visitor without one. */
type HasFlashes = Pick<Session, 'flashes'>;

/** Instead of the path of a page. */
export const NEXT_PAGE = '';

/** A message for the page at `target`; with null, for the next page. */
export function createFlash(
  target: Href | null,
  message: string,
  action?: FlashAction,
  id: string = randomBytes(6).toString('base64url'),
): Flash {
  const text =
    message.length <= MAX_FLASH_LENGTH
      ? message
      : [...message.slice(0, 2 * MAX_FLASH_LENGTH)].slice(0, MAX_FLASH_LENGTH).join('');
  const path = target === null ? NEXT_PAGE : pathOf(target);
  const flash = { id, path, message: text };
  return action === undefined ? flash : { ...flash, action };
}

/** The decoded path that a browser asks for: without the fragment, and without `.` and `..`. */
function pathOf(target: Href): string {
  return readTarget(new URL(`http://here.invalid${target}`).pathname, undefined).path;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** The path that a page with messages leads on to; null if it does not. */
export function pathAfter(
  request: Request,
  { status, headers }: Response,
  taken: readonly Flash[],
): string | null {
  const { Location: location } = headers;
  const isLocal = typeof location === 'string' && /^\/(?!\/)/.test(location);
  const leadsOn = isLocal && REDIRECTS.includes(status);
  return leadsOn && taken.some(({ path }) => path === request.path)
    ? pathOf(location as Href)
    : null;
}

/** The session whose messages for one path are for another, because the first leads on to it. */
export function withMovedFlashes<S extends HasFlashes>(session: S, from: string, to: string): S {
  const flashes = session.flashes.map((one) => (one.path === from ? { ...one, path: to } : one));
  return { ...session, flashes };
}

/**
 * The session with one more message. Repeating a message for the same page does not duplicate it.
 */
export function withAddedFlash<S extends HasFlashes>(session: S, flash: Flash): S {
  return withFlashes(session, [...session.flashes.filter((one) => !isSame(one, flash)), flash]);
}

/** The messages that the response to this request is to show. */
export function findFlashes({ flashes }: HasFlashes, request: Request): readonly Flash[] {
  if (flashes.length === 0 || !canShowFlash(request)) return [];
  const awaited = readAwaitedFlashes(request);
  return flashes.filter((one) => isFor(one, request.path) && !hasArrived(one, awaited));
}

/**
 * The session without messages that have arrived, and with the messages `shown` marked as shown. `movedTo` is where
 * the page of the request has led on to.
 */
export function withShownFlashes<S extends HasFlashes>(
  session: S,
  request: Request,
  shown: readonly Flash[] = [],
  movedTo: string | null = null,
): S {
  if (session.flashes.length === 0) return session;
  const awaited = readAwaitedFlashes(request);
  const left = session.flashes.filter((one) => !hasArrived(one, awaited));
  const flashes = left.map((one) =>
    shown.some(({ id }) => id === one.id) ? { ...one, isShown: true } : one,
  );
  const marked = { ...session, flashes };
  return movedTo === null ? marked : withMovedFlashes(marked, request.path, movedTo);
}

function hasArrived({ id, isShown = false }: Flash, awaited: readonly string[]): boolean {
  return isShown && !awaited.includes(id);
}

/** The session without the messages for the path, and those messages. */
export function takeFlashes<S extends HasFlashes>(
  session: S,
  path: string,
): { readonly rest: S; readonly taken: readonly Flash[] } {
  const taken = session.flashes.filter((one) => isFor(one, path));
  const rest = session.flashes.filter((one) => !isFor(one, path));
  return { rest: taken.length === 0 ? session : { ...session, flashes: rest }, taken };
}

function withFlashes<S extends HasFlashes>(session: S, flashes: readonly Flash[]): S {
  return { ...session, flashes: flashes.slice(-MAX_FLASHES) };
}

function isFor(flash: Flash, path: string): boolean {
  return flash.path === path || flash.path === NEXT_PAGE;
}

function isSame(one: Flash, other: Flash): boolean {
  return one.path === other.path && one.message === other.message;
}

/** The text that the page shows; null without messages. */
export function toText(taken: readonly Flash[]): string | null {
  return taken.length === 0 ? null : taken.map(({ message }) => message).join(' ');
}

/** The action of the newest message that has one. */
export function toAction(taken: readonly Flash[]): FlashAction | null {
  const action = taken.findLast((one) => one.action !== undefined)?.action;
  return action === undefined ? null : { ...action, path: localPath(action.path) };
}

/** Whether a person will see the response: a GET that is not a prefetch. */
export function canShowFlash(request: Request): boolean {
  const purpose = request.headers['sec-purpose'] ?? '';
  return request.method === 'GET' && !/\bprefetch\b/i.test(purpose);
}

/** Whether the response is a page, which has shown its messages. */
export function hasShownFlash({ status, headers }: Response): boolean {
  const type = String(headers['Content-Type'] ?? '');
  return status >= 200 && status <= 299 && isPageType(type);
}
