/**
 * A cookie with the ids of the messages that the browser awaits. The answer to a form sets it, and the page
 * with a message clears it. So a browser that asks again without the message, because the answer was lost,
 * cancelled or repeated on the way, still has the id. It gets the message again, and a reload does not.
 */
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { readHostCookie, withHostCookie } from './host-cookie.ts';
import type { Flash } from './session.ts';

const NAME = 'awaited';

/** Seconds. The redirect leads to the page at once. */
const MAX_AGE = 300;
/** A session has ten messages. */
const MAX_IDS = 10;
/** Separates ids, which are base64url. */
const SEPARATOR = '.';

/** An id that no message of the session has does nothing. */
export function readAwaitedFlashes(request: Request): readonly string[] {
  return readHostCookie(request, NAME).flatMap((value) => value.split(SEPARATOR));
}

/** What the browser awaits after a response. */
export interface Awaiting {
  /** The messages of the session before the response. */
  readonly stored: readonly Flash[];
  readonly shown: readonly Flash[];
  readonly added: readonly Pick<Flash, 'id'>[];
}

export function withAwaitedFlashes<R extends Response>(
  response: R,
  request: Request,
  { stored, shown, added }: Awaiting,
): R {
  if (added.length === 0 && shown.length === 0) return response;
  const before = readAwaitedFlashes(request);
  const left = stored.filter(({ id }) => !shown.some((one) => one.id === id));
  const awaited = left.filter(({ id }) => before.includes(id));
  // A repeated form does not bring back a message whose page has arrived.
  const arrived = stored.filter(({ id, isShown }) => isShown && !before.includes(id));
  const next = added.filter(({ id }) => !arrived.some((one) => one.id === id));
  const ids = [...awaited, ...next].map(({ id }) => id).slice(-MAX_IDS);
  if (ids.length === 0 && before.length === 0) return response;
  const value = ids.join(SEPARATOR);
  return withHostCookie(response, request, { name: NAME, value, maxAge: MAX_AGE });
}
