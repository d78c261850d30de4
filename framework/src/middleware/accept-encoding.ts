/**
 * Ranks the content codings that a client accepts, from its Accept-Encoding (RFC 9110 section
 * 12.5.3). A coding that it refuses or does not name is never chosen. `identity`, the uncompressed
 * body, comes last unless the header ranks it, and is used when the client refuses everything.
 */

/** Best first. The order decides between codings of equal weight. */
const CODINGS = ['br', 'zstd', 'gzip'] as const;

export type Coding = (typeof CODINGS)[number];

/** Limits of the cache, in characters of a header and in headers. Browsers send only a few. */
const MAX_CACHED_LENGTH = 100;
const MAX_CACHED_HEADERS = 50;
const cached = new Map<string, readonly (Coding | 'identity')[]>();

/** The codings that may be sent, best first; `identity` is the uncompressed body. */
export function rankCodings(header: string | undefined): readonly (Coding | 'identity')[] {
  if (header === undefined) return ['identity'];
  let ranked = cached.get(header);
  if (ranked !== undefined) return ranked;
  ranked = rank(readWeights(header));
  if (header.length <= MAX_CACHED_LENGTH && cached.size < MAX_CACHED_HEADERS) {
    cached.set(header, ranked);
  }
  return ranked;
}

const MEMBER = /^[\t ]*([^\t ;]+)[\t ]*(?:;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[\t ]*)?$/i;

/** Weights by the name of the coding. Malformed members of the list are ignored. */
function readWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const member of header.split(',')) {
    const [, name, weight = '1'] = MEMBER.exec(member) ?? [];
    if (name !== undefined) weights.set(canonical(name.toLowerCase()), Number(weight));
  }
  return weights;
}

/** RFC 9110 section 8.4.1.3: `x-gzip` is an old name of gzip. */
function canonical(name: string): string {
  return name === 'x-gzip' ? 'gzip' : name;
}

function rank(weights: ReadonlyMap<string, number>): readonly (Coding | 'identity')[] {
  const others = weights.get('*');
  const weightOf = (coding: Coding) => weights.get(coding) ?? others ?? 0;
  // `identity` is acceptable even if the header does not name it, but after everything that it
  // names.
  const asItIs = weights.get('identity') ?? others ?? Number.MIN_VALUE;
  const taken = [
    ...CODINGS.map((coding) => ({ coding, weight: weightOf(coding) })),
    { coding: 'identity' as const, weight: asItIs },
  ].filter(({ weight }) => weight > 0);
  if (taken.length === 0) return ['identity'];
  return taken.toSorted((one, other) => other.weight - one.weight).map(({ coding }) => coding);
}
