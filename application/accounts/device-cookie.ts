/**
 * The cookie by which a browser that has logged in before is known again. It only spares it the wait
 * that strangers have caused; nobody is logged in by it, and it stays when somebody logs out.
 */
import { type Request, type Response, readCookie, serializeCookie, withCookie } from 'seeother';

/** Seconds: a year. */
const MAX_AGE = 365 * 86_400;

/** The token that the browser carries; null for none, or for two, of which one was planted. */
export function readDevice(request: Request): string | null {
  const [token, ...others] = readCookie(request.headers['cookie'], cookieName(request));
  return token === undefined || others.length > 0 ? null : token;
}

export function withDevice<R extends Response>(response: R, request: Request, token: string): R {
  const cookie = serializeCookie(cookieName(request), token, {
    maxAge: MAX_AGE,
    path: '/',
    secure: request.scheme === 'https',
    httpOnly: true,
    sameSite: 'Lax',
  });
  return withCookie(response, cookie);
}

function cookieName({ scheme }: Request): string {
  return scheme === 'https' ? '__Host-device' : 'device';
}
