/**
 * The cookies of sessions and of messages. Over https their names start with `__Host-`, so that the browser refuses
 * them from any other host or from plain http (RFC 6265bis).
 */
import { readCookie, serializeCookie } from '../http/cookie.ts';
import type { Request } from '../http/request.ts';
import { type Response, withCookie } from '../http/response.ts';

/** All values of cookies with this name in the request; usually none or one. */
export function readHostCookie(request: Request, name: string): readonly string[] {
  return readCookie(request.headers['cookie'], fullName(request, name));
}

/** `maxAge` in seconds. An empty value clears the cookie. */
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

function fullName(request: Request, name: string): string {
  return request.scheme === 'https' ? `__Host-${name}` : name;
}
