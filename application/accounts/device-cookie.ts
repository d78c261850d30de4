/**
 * The cookie of a device: a browser that has logged in before. It only gives the browser its own
 * limit of failed log-ins; it logs nobody in. It stays after a log-out.
 */
import { type Request, type Response, readHostCookie, withHostCookie } from 'seeother';

/** A year, in seconds. */
const MAX_AGE = 365 * 86_400;

/**
 * The token of the browser; null without one, or with two, because an attacker may have planted
 * one.
 */
export function readDevice(request: Request): string | null {
  const [token, ...others] = readHostCookie(request, 'device');
  return token === undefined || others.length > 0 ? null : token;
}

export function withDevice<R extends Response>(response: R, request: Request, token: string): R {
  return withHostCookie(response, request, { name: 'device', value: token, maxAge: MAX_AGE });
}
