/**
 * Where to go after a log-in: only ever to a path on this site. What a browser would take for
 * another site (`//evil`, `/\evil`, a control character that it strips) is refused.
 */

import { type Href, localPath } from './href.ts';

const HERE = 'http://here.invalid';

/** The path and query that `candidate` names on this site, normalised; null when it is none. */
export function toLocalPath(candidate: string | null | undefined): Href | null {
  if (typeof candidate !== 'string' || !/^\/(?!\/)[^\\\p{Cc}\s]*$/u.test(candidate)) return null;
  if (!URL.canParse(candidate, HERE)) return null;
  const url = new URL(candidate, HERE);
  if (url.origin !== HERE || url.pathname.startsWith('//')) return null;
  return localPath(url.pathname + url.search);
}
