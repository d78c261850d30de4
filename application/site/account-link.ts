/**
 * Links that let their holder make an account, choose a password or stop mails. People pass them on: what they write
 * behind one may be opened with it, and a link to this computer works nowhere else.
 */
import type { Request } from 'seeother';
import { isLoopback } from '../settings/loopback.ts';

/** The origin at which the request has reached the site. */
export function originOf({ scheme, headers }: Pick<Request, 'scheme' | 'headers'>): string {
  return `${scheme}://${headers['host'] ?? 'localhost'}`;
}

/** The sentence about a link that nobody else can open; otherwise empty. */
export function describeReach(origin: string): string {
  const { hostname } = new URL(origin);
  return isLoopback(hostname)
    ? ` It can be opened on this computer only, because its address is ${hostname}; set PUBLIC_ORIGIN, or open this site at an address that others reach.`
    : '';
}

/** The token in the query of a link, without the punctuation that was copied with it. */
export function readToken({ query }: Pick<Request, 'query'>, name: 'invitation' | 'link'): string {
  return (query.get(name) ?? '').replace(/[^\w-]+$/, '');
}
