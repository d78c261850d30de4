/**
 * The maximum number of ways to match a text that can be open at once. Explores all counts that any
 * text can produce, with the subset construction and a number at each state.
 */
import type { Automaton } from './automaton.ts';
import { contains, representatives } from './char-set.ts';

/** Each character of a path costs as many steps as there are ways. */
const MAX_WAYS = 100;
/** Maximum number of moves; an expression beyond it counts as one with too many ways. */
const BUDGET = 300_000;

type Counts = ReadonlyMap<number, number>;

/** Terminates for every expression: the limit on counts and the budget both end the search. */
export function hasManyWays(automaton: Automaton): boolean {
  const { follow, sets, ways } = automaton;
  if (Math.max(ways.empty, ...ways.first.values()) > MAX_WAYS) return true;
  const letters = representatives(sets).map((code) => sets.map((set) => contains(set, code)));
  const dearest = follow.map((moves, state) =>
    Math.max(1, ways.last.get(state) ?? 0, ...moves.values()),
  );
  const seen = new Set<string>();
  const waiting: Counts[] = [];
  let looked = 0;

  /** Whether the limit is exceeded. */
  const visit = (moves: Iterable<readonly [number, number]>): boolean => {
    const all = [...moves];
    looked += letters.length * all.length;
    for (const letter of letters) {
      const counts = new Map<number, number>();
      for (const [state, count] of all)
        if (letter[state]) counts.set(state, (counts.get(state) ?? 0) + count);
      const cost = [...counts].reduce((sum, [state, n]) => sum + n * (dearest[state] ?? 1), 0);
      if (cost > MAX_WAYS) return true;
      const key = [...counts].sort(([a], [b]) => a - b).join(';');
      if (!seen.has(key)) waiting.push(counts);
      seen.add(key);
    }
    return looked > BUDGET;
  };

  if (visit(ways.first)) return true;
  for (let counts = waiting.pop(); counts !== undefined; counts = waiting.pop()) {
    const moves = [...counts].flatMap(([state, count]) =>
      [...(follow[state] ?? [])].map(([next, factor]) => [next, count * factor] as const),
    );
    if (visit(moves)) return true;
  }
  return false;
}
