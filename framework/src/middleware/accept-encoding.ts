/**
 * Ranks the content codings that a client accepts, from its Accept-Encoding (RFC 9110 section
 * 12.5.3). A coding that it refuses or does not name is never chosen. `identity`, the uncompressed
 * body, comes last unless the header ranks it, and is used when the client refuses everything.
 */
import { cacheByHeader, readWeights } from '../http/weights.ts';

/** Best first. The order decides between codings of equal weight. */
const CODINGS = ['br', 'zstd', 'gzip'] as const;

/** RFC 9110 section 8.4.1.3: an old name of gzip. */
const OLD_GZIP = 'x-gzip';

export type Coding = (typeof CODINGS)[number];

const rankHeader = cacheByHeader((header) => rank(readWeights(header)));

/** The codings that may be sent, best first; `identity` is the uncompressed body. */
export function rankCodings(header: string | undefined): readonly (Coding | 'identity')[] {
  return header === undefined ? ['identity'] : rankHeader(header);
}

function rank(weights: ReadonlyMap<string, number>): readonly (Coding | 'identity')[] {
  const others = weights.get('*');
  const weightOf = (coding: Coding) =>
    weights.get(coding) ?? (coding === 'gzip' ? weights.get(OLD_GZIP) : undefined) ?? others ?? 0;
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
