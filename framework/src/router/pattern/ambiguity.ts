/**
 * Whether a backtracking engine can need more than proportional time for an expression. It tries
 * one way to match after the other. When no text leads to one state in two ways, each character
 * costs at most a step for each state. Otherwise the ways are counted, see count-ways.ts: their
 * number may have no bound (`(?:a+)+`, `\d+\d+`), or one that is far too high (`(?:a?){30}`).
 *
 * (Ambiguity as the measure of the work: Weideman et al., "Analyzing Matching Time Behavior of
 * Backtracking Regular Expression Matchers by Using Ambiguity of NFA", 2016.)
 */
import type { Automaton } from './automaton.ts';
import type { CharSet } from './char-set.ts';
import { hasManyWays } from './count-ways.ts';

/** Pairs of states looked at before giving up; the ways are counted then. */
const BUDGET = 100_000;

export function isAmbiguous(automaton: Automaton): boolean {
  return !hasOneWay(automaton) && hasManyWays(automaton);
}

/** Whether no text leads to one state in two ways: looks for two that part and meet again. */
function hasOneWay({ follow, sets, ways }: Automaton): boolean {
  const counts = [ways.first, ways.last, ...follow];
  if (ways.empty > 1 || counts.some((moves) => [...moves.values()].some((count) => count > 1)))
    return false;
  const overlap = overlaps(sets);
  const seen = new Set<number>();
  const waiting: (readonly [number, number])[] = [];
  let looked = 0;
  /** Whether two different ways have met, or there is too much to look at. */
  const visit = (some: Iterable<number>, others: readonly number[], areApart: boolean): boolean => {
    for (const a of some) {
      for (const b of others) {
        if (++looked > BUDGET) return true;
        if (!overlap(a, b)) continue;
        if (a === b && areApart) return true;
        const key = a * sets.length + b;
        // Two ways that are still the same are looked at once, from the state itself.
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

/** Whether one character can lead into both states. */
function overlaps(sets: readonly CharSet[]): (a: number, b: number) => boolean {
  const table = sets.map((a) =>
    sets.map((b) => a.some(([from, to]) => b.some(([first, last]) => first <= to && from <= last))),
  );
  return (a, b) => table[a]?.[b] === true;
}
