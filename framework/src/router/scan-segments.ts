/**
 * One pass over a path: where its segments end, and a hash of each. A scanner is the working memory
 * of one search at a time, so that a search makes nothing but its result.
 */
const SLASH = 47;
const PERCENT = 37;
const OFFSET = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

export class Scanner {
  readonly ends: Int32Array;
  readonly hashes: Int32Array;
  /** Whether the path holds a percent sign. */
  hasEscape = false;

  /** `most` is the highest number of segments that any pattern has. */
  constructor(most: number) {
    this.ends = new Int32Array(most);
    this.hashes = new Int32Array(most);
  }

  /** The number of segments; 0 when there are more than any pattern has, or the path is no path. */
  scan(path: string): number {
    const { ends, hashes } = this;
    const { length } = path;
    let count = 0;
    let hash = OFFSET;
    let escaped = false;
    if (path.charCodeAt(0) !== SLASH) return 0;
    for (let at = 1; at < length; at++) {
      const code = path.charCodeAt(at);
      if (code === SLASH) {
        if (count === ends.length) return 0;
        ends[count] = at;
        hashes[count++] = hash;
        hash = OFFSET;
      } else {
        if (code === PERCENT) escaped = true;
        hash = Math.imul(hash ^ code, PRIME);
      }
    }
    if (count === ends.length) return 0;
    ends[count] = length;
    hashes[count++] = hash;
    this.hasEscape = escaped;
    return count;
  }
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
