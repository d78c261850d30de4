/**
 * The cookies of sessions and of messages. Over https their names start with `__Host-`, so that the browser refuses
 * them from any other host or from plain http (RFC 6265bis). Cookies do not tell ports apart, so two sites on one host
 * need names of their own.
 */
import type { OptionKind } from '../http/check-options.ts';
import { readCookie, serializeCookie } from '../http/cookie.ts';
import type { Request } from '../http/request.ts';
import { type Response, withCookie } from '../http/response.ts';

/** The three cookies of a site. Those of messages are named after one that is not `sid`. */
type Cookie = 'session' | 'flash' | 'awaited';

export const SESSION_COOKIE: OptionKind = {
  noun: 'a name of up to 64 letters, digits, hyphens and underscores, which does not start with __',
  example: "'inventory'",
  accepts: (value) =>
    typeof value === 'string' && /^(?!__|(?:flash|awaited)$)[\w-]{1,64}$/.test(value),
};

/** All values of this cookie in the request; usually none or one. */
export function readHostCookie(request: Request, name: Cookie): readonly string[] {
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
  }: { readonly name: Cookie; readonly value: string; readonly maxAge: number },
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

/** As the browser knows it. */
export function fullName({ scheme, state }: Request, name: Cookie): string {
  const { sessionCookie: own } = state;
  const short = name === 'session' ? own : own === 'sid' ? name : `${own}-${name}`;
  return scheme === 'https' ? `__Host-${short}` : short;
}
