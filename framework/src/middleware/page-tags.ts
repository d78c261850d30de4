/**
 * Entity tags of pages, with their headers. A tag is a hash of the version of the data, the user, the language
 * and the URL, so it never matches the page of another user or in another language.
 *
 * Tags are cached per user and URL until the version changes. Their headers are frozen, so the
 * checks of outgoing headers are cached too. A client can request any number of URLs, so the cache
 * is limited in entries and in the length of a key.
 */

import { hash } from 'node:crypto';
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import type { ResponseHeaders } from '../http/response.ts';
import type { Language } from '../language/language.ts';
import type { Session } from '../session/session.ts';

export interface PageTag {
  readonly tag: string;
  readonly headers: ResponseHeaders;
}

/** Entries of the cache. When it is full, it is cleared. */
const MAX_CACHED_TAGS = 1_000;
/** Characters of the user and the URL. A tag with a longer key is not cached. */
const MAX_KEY_LENGTH = 500;

export function createPageTags(): (
  version: string,
  session: Session | null,
  request: Pick<Request, 'target' | 'slots'>,
) => PageTag {
  const tags = new Map<string, PageTag>();
  /** A store may give the same object for many requests. */
  const viewers = new WeakMap<Session, string>();
  let cachedVersion = '';
  const nameViewer = (session: Session): string => {
    const known = viewers.get(session);
    if (known !== undefined) return known;
    const made = JSON.stringify(toViewer(session));
    viewers.set(session, made);
    return made;
  };
  return (version, session, request) => {
    const { target } = request;
    const language = languageOf(request);
    // The end of the JSON array separates the user from the rest, and no code has a slash.
    const key = `${session === null ? '[]' : nameViewer(session)}${language.code}${target}`;
    if (version !== cachedVersion) tags.clear();
    cachedVersion = version;
    const cached = tags.get(key);
    if (cached !== undefined) return cached;
    const made = makeTag(version, session, language, target);
    if (key.length > MAX_KEY_LENGTH) return made;
    if (tags.size >= MAX_CACHED_TAGS) tags.clear();
    tags.set(key, made);
    return made;
  };
}

/**
 * Everything of the session that a page can show. Flashes are left out: a page with one gets no
 * tag.
 */
function toViewer(session: Session | null): readonly unknown[] {
  return session === null ? [] : [session.user];
}

/** The tag is weak: pages with the same tag have the same content, but maybe not the same bytes. */
function makeTag(
  version: string,
  session: Session | null,
  { code }: Language,
  target: string,
): PageTag {
  const parts = JSON.stringify([version, toViewer(session), code, target]);
  const digest = hash('sha256', parts, 'base64url');
  const tag = `W/"${digest.slice(0, 22)}"`;
  return { tag, headers: toHeaders(tag) };
}

/**
 * `no-cache` makes the browser revalidate the page each time. The Back button does not revalidate;
 * `Vary: Cookie` keeps the page from being shown there after a log-out, which changes the cookie.
 */
function toHeaders(tag: string): ResponseHeaders {
  return Object.freeze({ ETag: tag, 'Cache-Control': 'private, no-cache', Vary: 'Cookie' });
}
