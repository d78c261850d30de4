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
import { readHostCookie, withHostCookie } from '../session/host-cookie.ts';
import { isToken, toTokenKey } from '../session/token.ts';

/** Days that the cookie stays after the answers were sent: a browser with many of them would send too long a header. */
const DAYS_AFTER_SENT = 1 / 24;

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
  const maxAge = Math.ceil(days * 86_400);
  return withHostCookie(response, request, { name: nameOf(key), value: token, maxAge });
}

/** A copy after which the browser forgets soon that the answers were its own, if they were. */
export function withSentCookie<R extends Response>(response: R, request: Request, key: string): R {
  const [token] = browserTokens(request, key);
  if (token === undefined) return response;
  return withBrowserCookie(response, request, key, token, DAYS_AFTER_SENT);
}

function nameOf(key: string): string {
  return `steps-${key.slice(0, 8)}`;
}
