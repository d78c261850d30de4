/**
 * Whether a backtracking engine can need more than linear time for an expression. Such an engine tries
 * one way to match after the other. If no text reaches one state in two ways, each character costs at
 * most one step per state. Otherwise count-ways.ts counts the ways: their number may be unbounded
 * (`(?:a+)+`, `\d+\d+`) or far too high (`(?:a?){30}`).
 *
 * Background: Weideman et al., "Analyzing Matching Time Behavior of Backtracking Regular Expression
 * Matchers by Using Ambiguity of NFA", 2016.
 */
import type { Automaton } from './automaton.ts';
import type { CharSet } from './char-set.ts';
import { hasManyWays } from './count-ways.ts';

/** Maximum number of state pairs to visit; beyond it, the ways are counted. */
const BUDGET = 100_000;

export function isAmbiguous(automaton: Automaton): boolean {
  return !hasOneWay(automaton) && hasManyWays(automaton);
}

/** Whether no text reaches one state in two ways. Searches for two ways that separate and meet again. */
function hasOneWay({ follow, sets, ways }: Automaton): boolean {
  const counts = [ways.first, ways.last, ...follow];
  if (ways.empty > 1 || counts.some((moves) => [...moves.values()].some((count) => count > 1)))
    return false;
  const overlap = overlaps(sets);
  const seen = new Set<number>();
  const waiting: (readonly [number, number])[] = [];
  let looked = 0;
  /** Whether two different ways have met, or the search has exceeded its limit. */
  const visit = (some: Iterable<number>, others: readonly number[], areApart: boolean): boolean => {
    for (const a of some) {
      for (const b of others) {
        if (++looked > BUDGET) return true;
        if (!overlap(a, b)) continue;
        if (a === b && areApart) return true;
        const key = a * sets.length + b;
        // Two ways that have not separated are searched once, from the state itself.
        if (!seen.has(key)) waiting.push([a, b]);
        seen.add(key);
      }
    }
    return false;
  };
  if (visit(ways.first.keys(), [...ways.first.keys()], false)) return false;
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [a, b] = pair.map((state) => [...(follow[state]?.keys() ?? [])]);
    if (visit(a ?? [], b ?? [], pair[0] !== pair[1])) return false;
  }
  return true;
}

/** Whether one character leads into both states. */
function overlaps(sets: readonly CharSet[]): (a: number, b: number) => boolean {
  const table = sets.map((a) =>
    sets.map((b) => a.some(([from, to]) => b.some(([first, last]) => first <= to && from <= last))),
  );
  return (a, b) => table[a]?.[b] === true;
}
