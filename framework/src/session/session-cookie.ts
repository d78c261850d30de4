/**
 * The cookie that holds the token of a session. A response that sets it is `no-store`: from a
 * shared cache, another user would get the session.
 */
import { readCookie, serializeCookie } from '../http/cookie.ts';
import type { Request } from '../http/request.ts';
import { type Response, withCookie, withHeader } from '../http/response.ts';

/** All values of cookies with this name in the request; usually none or one. */
export function readSessionCookie(request: Request): readonly string[] {
  return readCookie(request.headers['cookie'], cookieName(request));
}

/** `maxAge` in milliseconds. */
export function withSessionCookie(
  response: Response,
  request: Request,
  token: string,
  maxAge: number,
): Response {
  const cookie = serializeCookie(cookieName(request), token, {
    maxAge: maxAge / 1000,
    path: '/',
    secure: request.scheme === 'https',
    httpOnly: true,
    sameSite: 'Lax',
  });
  return withHeader(withCookie(response, cookie), 'Cache-Control', 'no-store');
}

export function withoutSessionCookie(response: Response, request: Request): Response {
  return withSessionCookie(response, request, '', 0);
}

/**
 * The name of a cookie of this host. Over https it starts with `__Host-`, so that the browser refuses the cookie
 * from any other host or from plain http (RFC 6265bis).
 */
export function toHostCookie(request: Request, name: string): string {
  return request.scheme === 'https' ? `__Host-${name}` : name;
}

function cookieName(request: Request): string {
  return toHostCookie(request, 'sid');
}
