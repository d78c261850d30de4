/**
 * Which codings of a body a client takes, by its Accept-Encoding (RFC 9110 section 12.5.3). What it
 * has refused, or not named, is never chosen. The body as it is comes last unless the client says
 * otherwise, and it is what is sent when everything has been refused: it is all that is left.
 */

/** The best first, of those that a client likes alike. */
const CODINGS = ['br', 'zstd', 'gzip'] as const;

export type Coding = (typeof CODINGS)[number];

/** Characters of a header, and number of headers, that are remembered: browsers send a handful. */
const LONGEST_REMEMBERED = 100;
const MOST_REMEMBERED = 50;
const remembered = new Map<string, readonly (Coding | 'identity')[]>();

/** The codings that may be sent, the best first; `identity` is the body as it is. */
export function rankCodings(header: string | undefined): readonly (Coding | 'identity')[] {
  if (header === undefined) return ['identity'];
  let ranked = remembered.get(header);
  if (ranked !== undefined) return ranked;
  ranked = rank(readWeights(header));
  if (header.length <= LONGEST_REMEMBERED && remembered.size < MOST_REMEMBERED) {
    remembered.set(header, ranked);
  }
  return ranked;
}

const MEMBER = /^[\t ]*([^\t ;]+)[\t ]*(?:;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[\t ]*)?$/i;

/** By the name of the coding; what cannot be read says nothing. */
function readWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const member of header.split(',')) {
    const [, name, weight = '1'] = MEMBER.exec(member) ?? [];
    if (name !== undefined) weights.set(canonical(name.toLowerCase()), Number(weight));
  }
  return weights;
}

/** Section 8.4.1.3: gzip has an old name too. */
function canonical(name: string): string {
  return name === 'x-gzip' ? 'gzip' : name;
}

function rank(weights: ReadonlyMap<string, number>): readonly (Coding | 'identity')[] {
  const others = weights.get('*');
  const weightOf = (coding: Coding) => weights.get(coding) ?? others ?? 0;
  // Named by nobody, it is acceptable all the same: after everything that was asked for.
  const asItIs = weights.get('identity') ?? others ?? Number.MIN_VALUE;
  const taken = [
    ...CODINGS.map((coding) => ({ coding, weight: weightOf(coding) })),
    { coding: 'identity' as const, weight: asItIs },
  ].filter(({ weight }) => weight > 0);
  if (taken.length === 0) return ['identity'];
  return taken.toSorted((one, other) => other.weight - one.weight).map(({ coding }) => coding);
}
