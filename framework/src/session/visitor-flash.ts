/**
 * The messages of a visitor without a session, in a cookie: nothing is stored for visitors. The cookie
 * can be forged like all input, so it is read strictly and shown escaped. Two requests at once may both
 * show a message, because no store decides which of them gets it.
 */
import type { Request } from '../http/request.ts';
import { type Response, withHeader } from '../http/response.ts';
import {
  canShowFlash,
  MAX_FLASH_LENGTH,
  MAX_FLASHES,
  NEXT_PAGE,
  takeFlashes,
  withAddedFlash,
  withMovedFlashes,
} from './flash.ts';
import { readHostCookie, withHostCookie } from './host-cookie.ts';
import type { Flash } from './session.ts';

const NAME = 'flash';

/** Seconds. The redirect leads to the page at once. */
const MAX_AGE = 300;
/** Characters of the value. Browsers store 4,096 of name and value. */
const MAX_LENGTH = 3_900;

/** The messages of the request's cookie. */
export interface VisitorFlashes {
  readonly flashes: readonly Flash[];
  /** Those for the page of the request. */
  readonly taken: readonly Flash[];
  /** Whether the cookie is to be cleared, because it cannot be read. */
  readonly isBroken: boolean;
}

export const NO_FLASHES: VisitorFlashes = { flashes: [], taken: [], isBroken: false };

export function readVisitorFlashes(request: Request): VisitorFlashes {
  const values = readHostCookie(request, NAME);
  const [value] = values;
  if (value === undefined) return NO_FLASHES;
  const flashes = values.length === 1 ? parseFlashes(value) : null;
  if (flashes === null) return { ...NO_FLASHES, isBroken: true };
  if (!canShowFlash(request)) return { ...NO_FLASHES, flashes };
  return { flashes, taken: takeFlashes({ flashes }, request.path).taken, isBroken: false };
}

/**
 * The response with the cookie of the messages that remain. `isShown`: those that were taken do not. `movedTo`: those
 * of this path are for another, because it leads on to it.
 */
export function withVisitorFlashes<R extends Response>(
  response: R,
  request: Request,
  { flashes, taken, isBroken }: VisitorFlashes,
  {
    isShown,
    movedTo,
    added,
  }: {
    readonly isShown: boolean;
    readonly movedTo: string | null;
    readonly added: readonly Flash[];
  },
): R {
  const isTaken = isShown && taken.length > 0;
  if (!isBroken && !isTaken && movedTo === null && added.length === 0) return response;
  const rest = isTaken ? takeFlashes({ flashes }, request.path).rest : { flashes };
  const left = movedTo === null ? rest : withMovedFlashes(rest, request.path, movedTo);
  const value = serializeFlashes(added.reduce(withAddedFlash, left).flashes);
  const cookie = { name: NAME, value, maxAge: MAX_AGE } as const;
  return withHeader(withHostCookie(response, request, cookie), 'Cache-Control', 'no-store');
}

/** Null for text that `serializeFlashes` cannot have written. */
function parseFlashes(value: string): readonly Flash[] | null {
  if (value.length > MAX_LENGTH || !/^[\w-]+$/.test(value)) return null;
  try {
    const list: unknown = JSON.parse(strict.decode(Buffer.from(value, 'base64url')));
    if (!Array.isArray(list) || list.length === 0 || list.length > MAX_FLASHES) return null;
    const flashes = list.map(toFlash);
    return flashes.every((flash) => flash !== null) ? flashes : null;
  } catch {
    return null;
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function toFlash(pair: unknown): Flash | null {
  if (!Array.isArray(pair) || pair.length !== 2) return null;
  const [path, message] = pair;
  if (!isClean(path) || !isClean(message)) return null;
  if (message === '' || [...message].length > MAX_FLASH_LENGTH) return null;
  return path === NEXT_PAGE || path.startsWith('/') ? { id: '', path, message } : null;
}

const CONTROLS = /\p{Cc}/gu;

function isClean(text: unknown): text is string {
  return typeof text === 'string' && text.isWellFormed() && text.search(CONTROLS) === -1;
}

/** Without the oldest messages when all do not fit; empty when none does. */
function serializeFlashes(flashes: readonly Flash[]): string {
  const pairs = flashes
    .map(({ path, message }) => [path, message.toWellFormed().replace(CONTROLS, ' ')])
    .filter(([, message]) => message !== '');
  for (let from = 0; from < pairs.length; from++) {
    const value = Buffer.from(JSON.stringify(pairs.slice(from))).toString('base64url');
    if (value.length <= MAX_LENGTH) return value;
  }
  return '';
}
