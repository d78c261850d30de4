/**
 * Addresses that people pass on, such as that of a link that stops mails: what they write behind one may be opened with
 * it.
 */
import type { Request } from 'seeother';

/** The origin at which the request has reached the site. */
export function originOf({ scheme, headers }: Pick<Request, 'scheme' | 'headers'>): string {
  return `${scheme}://${headers['host'] ?? 'localhost'}`;
}

/** The token in the query of a link, without the punctuation that was copied with it. */
export function readToken({ query }: Pick<Request, 'query'>, name: 'link'): string {
  return (query.get(name) ?? '').replace(/[^\w-]+$/, '');
}
