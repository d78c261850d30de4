/** Sets of characters, as sorted ranges of code points that do not touch. */
export type CharSet = readonly (readonly [first: number, last: number])[];

const LAST = 0x10ffff;

export const ANYTHING: CharSet = [[0, LAST]];
/** The characters that `.` does not match. */
const LINE_ENDS = fromCharacters('\n\r\u2028\u2029');
const DIGITS: CharSet = [[48, 57]];
const WORDS: CharSet = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
const SPACES = unite(
  fromCharacters('\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff'),
  [[0x2000, 0x200a]],
);

export const NO_LINE_END: CharSet = complement(LINE_ENDS);

/** The sets for letters after a backslash. */
export const CLASSES: Readonly<Record<string, CharSet>> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORDS,
  W: complement(WORDS),
  s: SPACES,
  S: complement(SPACES),
};

export function fromCharacters(characters: string): CharSet {
  return [...characters].reduce<CharSet>((set, character) => {
    const code = character.codePointAt(0) ?? 0;
    return unite(set, [[code, code]]);
  }, []);
}

export function unite(a: CharSet, b: CharSet): CharSet {
  const sorted = [...a, ...b].sort(([x], [y]) => x - y);
  const united: [number, number][] = [];
  for (const [first, last] of sorted) {
    const previous = united.at(-1);
    if (previous !== undefined && first <= previous[1] + 1)
      previous[1] = Math.max(previous[1], last);
    else united.push([first, last]);
  }
  return united;
}

export function complement(set: CharSet): CharSet {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) rest.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST) rest.push([next, LAST]);
  return rest;
}

export function contains(set: CharSet, code: number): boolean {
  return set.some(([first, last]) => code >= first && code <= last);
}

/**
 * One character for each group of characters that all sets of the list treat alike, so it can represent
 * the group. Readable characters are preferred.
 */
export function representatives(sets: readonly CharSet[]): readonly number[] {
  const starts = new Set([0]);
  for (const set of sets) {
    for (const [first, last] of set) {
      starts.add(first);
      if (last < LAST) starts.add(last + 1);
    }
  }
  const sorted = [...starts].sort((x, y) => x - y);
  const chosen = new Map<string, number>();
  for (const [index, start] of sorted.entries()) {
    const end = (sorted[index + 1] ?? LAST + 1) - 1;
    const signature = sets.map((set) => (contains(set, start) ? '1' : '0')).join('');
    const candidate = readableIn(start, end);
    const earlier = chosen.get(signature);
    if (earlier === undefined || rank(candidate) < rank(earlier)) chosen.set(signature, candidate);
  }
  return [...chosen.values()];
}

function readableIn(first: number, last: number): number {
  for (const wanted of [97, 65, 49, 48, 45]) {
    if (wanted >= first && wanted <= last) return wanted;
  }
  return Math.max(first, Math.min(last, 33));
}

function rank(code: number): number {
  const wanted = [97, 65, 49, 48, 45].indexOf(code);
  if (wanted !== -1) return wanted;
  return code > 32 && code < 127 ? 10 : 20;
}
