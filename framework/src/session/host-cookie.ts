/**
 * The cookies of a site: of sessions, of messages, and of the application. Over https their names start with `__Host-`,
 * so that the browser refuses them from any other host or from plain http (RFC 6265bis). Cookies do not tell ports
 * apart, so two sites on one host need names of their own.
 */

import type { OptionKind } from '../http/check-options.ts';
import { readCookie, serializeCookie } from '../http/cookie.ts';
import type { Request } from '../http/request.ts';
import { type Response, withCookie } from '../http/response.ts';
import { Slot } from '../http/slot.ts';

export const SESSION_COOKIE: OptionKind = {
  noun: 'a name of up to 64 letters, digits, hyphens and underscores, which does not start with __',
  example: "'inventory'",
  accepts: (value) =>
    typeof value === 'string' && /^(?!__|(?:flash|awaited)$)[\w-]{1,64}$/.test(value),
};

/** The name of the session's cookie, without `__Host-`. */
export const sessionCookieSlot: Slot<string> = new Slot('sid');

/**
 * All values of a cookie that `withHostCookie` has set; usually none or one. Two, and somebody may have planted one of
 * them.
 */
export function readHostCookie(request: Request, name: string): readonly string[] {
  return readCookie(request.headers['cookie'], fullName(request, name));
}

/**
 * A copy that sets a cookie of the site: for all paths, for no script, and over https with `__Host-` before its name,
 * so that no other host can set it. `maxAge` is in seconds. An empty value clears the cookie. With a session cookie of
 * another name than `sid`, it is named after that one.
 */
export function withHostCookie<R extends Response>(
  response: R,
  request: Request,
  {
    name,
    value,
    maxAge,
  }: { readonly name: string; readonly value: string; readonly maxAge: number },
): R {
  const cookie = serializeCookie(fullName(request, name), value, {
    maxAge: value === '' ? 0 : maxAge,
    path: '/',
    secure: request.scheme === 'https',
    httpOnly: true,
    sameSite: 'Lax',
  });
  return withCookie(response, cookie);
}

/** As the browser knows it. `session` is the session's own. */
export function fullName(request: Request, name: string): string {
  const own = sessionCookieSlot.of(request);
  const short = name === 'session' ? own : own === 'sid' ? name : `${own}-${name}`;
  return request.scheme === 'https' ? `__Host-${short}` : short;
}
