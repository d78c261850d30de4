/**
 * The cookie of a device: a browser that has logged in before. It only gives the browser its own
 * limits of failed attempts; it logs nobody in. It stays after a log-out.
 */
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { readHostCookie, withHostCookie } from '../session/host-cookie.ts';
import { DEVICE_LIFE } from './devices.ts';

/**
 * The token of the browser; null without one, or with two, because an attacker may have planted
 * one.
 */
export function readDevice(request: Request): string | null {
  const [token, ...others] = readHostCookie(request, 'device');
  return token === undefined || others.length > 0 ? null : token;
}

/** The cookie lasts a year from the log-in, as the device does. */
export function withDevice<R extends Response>(response: R, request: Request, token: string): R {
  const maxAge = DEVICE_LIFE / 1_000;
  return withHostCookie(response, request, { name: 'device', value: token, maxAge });
}
