/**
 * The target after a log-in, which must be a path on this site. Refuses text that a browser would
 * resolve to another site: `//evil`, `/\evil`, control characters that browsers strip.
 */

import { type Href, localPath } from './href.ts';

const HERE = 'http://here.invalid';

/** `candidate` as a normalised path and query on this site; null if it is not one. */
export function toLocalPath(candidate: string | null | undefined): Href | null {
  if (typeof candidate !== 'string' || !/^\/(?!\/)[^\\\p{Cc}\s]*$/u.test(candidate)) return null;
  if (!URL.canParse(candidate, HERE)) return null;
  const url = new URL(candidate, HERE);
  if (url.origin !== HERE || url.pathname.startsWith('//')) return null;
  return localPath(url.pathname + url.search);
}
