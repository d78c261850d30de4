/** Reads lists with weights, such as those of `Accept-Language` and `Accept-Encoding` (RFC 9110 section 12.4.2). */

const MEMBER = /^[\t ]*([^\t ;]+)[\t ]*(?:;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[\t ]*)?$/i;

/** Weights by name, in lower case. Malformed members of the list are ignored. */
export function readWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const member of header.split(',')) {
    const [, name, weight = '1'] = MEMBER.exec(member) ?? [];
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight));
  }
  return weights;
}

/** Limits of a cache, in characters of a header and in headers. Browsers send only a few. */
const MAX_CACHED_LENGTH = 100;
const MAX_CACHED_HEADERS = 50;

/** Reads each header once. */
export function cacheByHeader<T>(read: (header: string) => T): (header: string) => T {
  const cached = new Map<string, T>();
  return (header) => {
    const known = cached.get(header);
    if (known !== undefined) return known;
    const value = read(header);
    if (header.length <= MAX_CACHED_LENGTH && cached.size < MAX_CACHED_HEADERS)
      cached.set(header, value);
    return value;
  };
}
