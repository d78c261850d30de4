/**
 * The tags of pages that browsers keep, with the headers that say them. A tag is made of the version
 * of all that such pages show, of who looks and of the address, so that nobody's page is taken for
 * anybody else's; nothing of it can be read back.
 *
 * One is made once for each viewer and address, until the version is another. Its headers are frozen:
 * so what is done with them on their way out is done once, too. The hard case is somebody who makes
 * up addresses: only so many are kept, and no long ones.
 */
import { hash } from 'node:crypto';
import type { ResponseHeaders } from '../http/response.ts';
import type { Session } from '../session/session.ts';

export interface PageTag {
  readonly tag: string;
  readonly headers: ResponseHeaders;
}

/** Tags that are kept at most; then it begins anew. */
const MOST_KEPT = 1_000;
/** Characters of what a kept one goes by: the viewer and the address. */
const LONGEST_KEY = 500;

export function keepPageTags(): (
  version: string,
  session: Session | null,
  target: string,
) => PageTag {
  const tags = new Map<string, PageTag>();
  let keptVersion = '';
  return (version, session, target) => {
    const key = toKey(session, target);
    if (version !== keptVersion) tags.clear();
    keptVersion = version;
    const kept = tags.get(key);
    if (kept !== undefined) return kept;
    const made = makeTag(version, session, target);
    if (key.length > LONGEST_KEY) return made;
    if (tags.size >= MOST_KEPT) tags.clear();
    tags.set(key, made);
    return made;
  };
}

/** No two viewers or addresses have the same: the array says where the viewer ends. */
function toKey(session: Session | null, target: string): string {
  return `${JSON.stringify(toViewer(session))}${target}`;
}

/** All that a page can show of the session, but its messages: a page with one is not kept. */
function toViewer(session: Session | null): readonly unknown[] {
  return session === null ? [] : [session.user, session.data];
}

/** The tag is weak: the page has the same content, if not the same bytes. */
function makeTag(version: string, session: Session | null, target: string): PageTag {
  const digest = hash('sha256', JSON.stringify([version, toViewer(session), target]), 'base64url');
  const tag = `W/"${digest.slice(0, 22)}"`;
  return { tag, headers: toHeaders(tag) };
}

/**
 * The browser asks each time before it shows the page. `Vary` is for Back, where it does not ask: who
 * has logged out meanwhile has another cookie.
 */
function toHeaders(tag: string): ResponseHeaders {
  return Object.freeze({ ETag: tag, 'Cache-Control': 'private, no-cache', Vary: 'Cookie' });
}
