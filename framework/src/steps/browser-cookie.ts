/**
 * Binds the answers of a visitor to the browser that started them: it has a token in a cookie, and the answers have
 * the SHA-256 of it. Their address alone opens nothing.
 *
 * The token is made of the idempotency key of the first page, which is in no address. So a page that is sent twice sets
 * the same cookie, whichever response arrives. Answers that start in two tabs have a cookie each.
 */
import { hash } from 'node:crypto';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { fullName, readHostCookie, withHostCookie } from '../session/host-cookie.ts';
import { isToken, toTokenKey } from '../session/token.ts';

/** Days that the cookie stays after the answers were sent. */
const DAYS_AFTER_SENT = 1 / 24;
const NAME = 'steps-';
/** Cookies of one browser: a hundred are too long a header for many servers. Further ones end the oldest. */
const MAX_COOKIES = 40;

/** The token of the answers that start with this idempotency key. Their address has another hash of it. */
export function toBrowserToken(once: string): string {
  return hash('sha256', `browser ${once}`, 'base64url');
}

/** The tokens that the browser has for the answers under this key of an address. */
export function browserTokens(request: Request, key: string): readonly string[] {
  return readHostCookie(request, nameOf(key)).filter(isToken);
}

/** Whether one of the tokens opens the answers. Those without a hash are opened by their address. */
export function isOpenTo(browser: string | undefined, tokens: readonly string[]): boolean {
  return browser === undefined || tokens.some((token) => toTokenKey(token) === browser);
}

/** A copy that lets the browser go on for as many days as the answers are stored. */
export function withBrowserCookie<R extends Response>(
  response: R,
  request: Request,
  key: string,
  token: string,
  days: number,
): R {
  const own = { name: nameOf(key), value: token, maxAge: Math.ceil(days * 86_400) };
  // Browsers send the oldest first (RFC 6265 section 5.4).
  const others = cookieNames(request, NAME).filter((name) => name !== own.name);
  return others
    .slice(0, 1 - MAX_COOKIES)
    .reduce(
      (cleared, name) => withHostCookie(cleared, request, { name, value: '', maxAge: 0 }),
      withHostCookie(response, request, own),
    );
}

/** A copy after which the browser forgets soon that the answers were its own, if they were. */
export function withSentCookie<R extends Response>(response: R, request: Request, key: string): R {
  const [token] = browserTokens(request, key);
  if (token === undefined) return response;
  return withBrowserCookie(response, request, key, token, DAYS_AFTER_SENT);
}

function nameOf(key: string): string {
  return `${NAME}${key.slice(0, 8)}`;
}

/** The names of the cookies that start so, as the request has them. */
function cookieNames(request: Request, start: string): readonly string[] {
  const full = fullName(request, start);
  const names = (request.headers['cookie'] ?? '')
    .split(';')
    .map((pair) => pair.split('=')[0]?.trim() ?? '');
  return names
    .filter((name) => name.startsWith(full))
    .map((name) => start + name.slice(full.length));
}
