/**
 * Whether a backtracking engine can need more than proportional time for an expression. It tries
 * one way to match after the other; the number of ways grows without bound exactly when
 *
 * - a state can come back to itself in two ways on the same text (exponential growth), or
 * - two states can each come back to themselves, and the first reach the second, all three on the
 *   same text (polynomial growth).
 *
 * (Weideman et al., "Analyzing Matching Time Behavior of Backtracking Regular Expression Matchers
 * by Using Ambiguity of NFA", 2016.)
 */
import type { Automaton } from './automaton.ts';
import type { CharSet } from './char-set.ts';

/** Pairs or triples of states looked at before giving up; an expression beyond it counts as ambiguous. */
const BUDGET = 300_000;

export function isAmbiguous(automaton: Automaton): boolean {
  const { follow } = automaton;
  const overlap = overlaps(automaton.sets);
  const looping = follow.map((_, state) => reaches(follow, state, state));
  const loops = [...looping.entries()].filter(([, loops]) => loops).map(([state]) => state);
  const search = createSearch(automaton, overlap);
  return loops.some(
    (one) =>
      hasDoubleMove(follow, one) ||
      search([one, one], ([a, b]) => a === one && b === one, true) ||
      loops.some(
        (other) =>
          other !== one &&
          search([one, one, other], ([a, b, c]) => a === one && b === other && c === other),
      ),
  );
}

type Follow = Automaton['follow'];

/** Two ways to make one move of a loop through the state. */
function hasDoubleMove(follow: Follow, state: number): boolean {
  return [...(follow[state] ?? [])].some(
    ([next, ways]) => ways > 1 && reaches(follow, next, state, true),
  );
}

function reaches(follow: Follow, from: number, to: number, atOnce = false): boolean {
  if (atOnce && from === to) return true;
  const seen = new Set<number>();
  const waiting = [from];
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    for (const next of follow[state]?.keys() ?? []) {
      if (next === to) return true;
      if (!seen.has(next)) waiting.push(next);
      seen.add(next);
    }
  }
  return false;
}

/**
 * Looks for a text on which states move together from `start` to an end that is wanted; with
 * `apart`, by a way on which the first two have been different states.
 */
function createSearch({ follow, sets }: Automaton, overlap: (a: number, b: number) => boolean) {
  const count = sets.length;
  let looked = 0;
  return (
    start: readonly number[],
    isWanted: (states: readonly number[]) => boolean,
    apart = false,
  ): boolean => {
    const seen = new Set<number>();
    const waiting: (readonly [readonly number[], boolean])[] = [[start, false]];
    for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
      const [states, wereApart] = entry;
      for (const next of moveTogether(states)) {
        const areApart = wereApart || next[0] !== next[1];
        if (isWanted(next) && (!apart || areApart)) return true;
        const key = next.reduce((sum, state) => sum * count + state, areApart ? 1 : 0);
        if (seen.has(key)) continue;
        if (++looked > BUDGET) return true;
        seen.add(key);
        waiting.push([next, areApart]);
      }
    }
    return false;
  };

  function moveTogether(states: readonly number[]): readonly (readonly number[])[] {
    return states.reduce<readonly (readonly number[])[]>(
      (moved, state) =>
        moved.flatMap((earlier) =>
          [...(follow[state]?.keys() ?? [])]
            .filter((next) => earlier.every((one) => overlap(one, next)))
            .map((next) => [...earlier, next]),
        ),
      [[]],
    );
  }
}

/** Whether one character can lead into both states. */
function overlaps(sets: readonly CharSet[]): (a: number, b: number) => boolean {
  const table = sets.map((a) =>
    sets.map((b) => a.some(([from, to]) => b.some(([first, last]) => first <= to && from <= last))),
  );
  return (a, b) => table[a]?.[b] === true;
}
