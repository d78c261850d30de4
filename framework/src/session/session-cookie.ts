/**
 * The cookie that holds the token of a session. A response that sets it is `no-store`: from a
 * shared cache, another user would get the session.
 */
import type { Request } from '../http/request.ts';
import { type Response, withHeader } from '../http/response.ts';
import { readHostCookie, withHostCookie } from './host-cookie.ts';

/** All values of this cookie in the request; usually none or one. */
export function readSessionCookie(request: Request): readonly string[] {
  return readHostCookie(request, 'session');
}

/** `maxAge` in milliseconds. */
export function withSessionCookie(
  response: Response,
  request: Request,
  token: string,
  maxAge: number,
): Response {
  const cookie = { name: 'session' as const, value: token, maxAge: maxAge / 1000 };
  return withHeader(withHostCookie(response, request, cookie), 'Cache-Control', 'no-store');
}

export function withoutSessionCookie(response: Response, request: Request): Response {
  return withSessionCookie(response, request, '', 0);
}
