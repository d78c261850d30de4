/**
 * Small random route tables and paths that collide often: few letters, shared prefixes, every kind of
 * part, to compare the match table with the plain walk. The caller provides the randomness, so that a run can be
 * repeated.
 */
import type { IndexedPattern } from '../router/match-table.ts';
import { type Pattern, PatternError, parsePattern } from '../router/pattern.ts';

/** An integer from 0 up to `below`, exclusive. */
export type Choose = (below: number) => number;

/** `#` stands for a name, a different one each time. */
const STEPS = [
  ...['/a', '/b', '/ab', '/1', '/12', '/', '/a%', '/é', '/a.b', '/p0'],
  ...['/:#', '/:#', '/:#', '/:#', '/:#<int>', '/:#<int>', '/:#<int>', '/*#'],
];

const SEGMENTS = [
  ...['a', 'b', 'ab', 'ba', '1', '12', '', 'a', 'b', '1', 'é', '*', ':a', 'a.b', '0', '01', '2'],
  ...['a%25', '%25', '%2F', 'a%2Fb', '%252F', 'a1', '1-', '/', 'c', 'p0', '9007199254740992'],
];

const patterns = new Map<string, Pattern | null>();

/** Null if it is refused. */
function readPattern(source: string): Pattern | null {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  if (patterns.size > 200_000) patterns.clear();
  try {
    const pattern = parsePattern(source);
    patterns.set(source, pattern);
    return pattern;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    patterns.set(source, null);
    return null;
  }
}

function randomPattern(choose: Choose): Pattern | null {
  let names = 0;
  const steps = Array.from({ length: 1 + choose(3) }, () => STEPS[choose(STEPS.length)] ?? '');
  return readPattern(steps.join('').replaceAll('#', () => `p${names++}`));
}

/** Up to 12 routes; their indexes have gaps, like those of one method. */
export function randomTable(choose: Choose): readonly IndexedPattern[] {
  const read = Array.from({ length: 1 + choose(12) }, () => randomPattern(choose));
  return read.flatMap((pattern, at) => (pattern === null ? [] : [{ index: 2 * at + 1, pattern }]));
}

/** A path as target.ts produces it. */
export function randomPath(choose: Choose): string {
  const segments = Array.from(
    { length: 1 + choose(4) },
    () => SEGMENTS[choose(SEGMENTS.length)] ?? '',
  );
  return `/${segments.join('/')}`;
}
