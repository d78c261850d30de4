/**
 * One pass over a path: where its segments end, and a hash of each.
 *
 * The result stands in memory that all scans share: a search is synchronous, so that there is one
 * at a time, and it makes nothing but its result. Read it before the next scan.
 */

/** More segments than any path has that is meant for a pattern of whole segments. */
export const MOST_SEGMENTS = 32;

/** Where each segment ends, in the path of the last scan. */
export const ends = new Int32Array(MOST_SEGMENTS);
/** The hash of each segment. */
export const hashes = new Int32Array(MOST_SEGMENTS);

/** What else was seen: a percent sign, and a segment that is empty. */
export const seen = { escape: false, empty: false };

const SLASH = 47;
const PERCENT = 37;
const OFFSET = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

/** The number of segments; 0 when there are more than `most`, or when the text is no path. */
export function scanSegments(path: string, most: number): number {
  const { length } = path;
  if (most === 0 || path.charCodeAt(0) !== SLASH) return 0;
  let count = 0;
  let hash = OFFSET;
  let percent = false;
  let empty = false;
  let start = 1;
  for (let at = 1; at < length; at++) {
    const code = path.charCodeAt(at);
    // Both characters that matter come before the digits: most need one comparison.
    if (code <= SLASH) {
      if (code === SLASH) {
        if (count === most - 1) return 0;
        if (at === start) empty = true;
        ends[count] = at;
        hashes[count++] = hash;
        hash = OFFSET;
        start = at + 1;
        continue;
      }
      if (code === PERCENT) percent = true;
    }
    hash = Math.imul(hash ^ code, PRIME);
  }
  seen.escape = percent;
  seen.empty = empty || start === length;
  ends[count] = length;
  hashes[count++] = hash;
  return count;
}

/** Where a segment starts. */
export function startOf(segment: number): number {
  return segment === 0 ? 1 : (ends[segment - 1] as number) + 1;
}

/** The hash that a segment of this text has in a scan (FNV-1a over UTF-16 units). */
export function hashText(text: string): number {
  let hash = OFFSET;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  return hash;
}

/** One hash out of two, in this order. */
export function mix(hash: number, next: number): number {
  return Math.imul(hash ^ next, 0x85ebca6b) ^ (hash >>> 13);
}
