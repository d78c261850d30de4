/**
 * Whether a set of patterns together matches every path of another one. A breadth-first search over
 * their position automata looks for a path that only the other one matches. The progress of each
 * earlier pattern is a set of states (the subset construction, built on demand).
 *
 * A search that exceeds its budget throws GivenUp.
 */
import { GivenUp, type Machine, move, toLetters, toMachine, VALID_PATH } from './machine.ts';
import type { Pattern } from './pattern.ts';

/** The number of moves left; a search subtracts what it uses. */
export interface Budget {
  moves: number;
}

/** A shortest path that the pattern matches and none of the others does, or null. */
export function findPathOutside(
  pattern: Pattern,
  others: readonly Pattern[],
  budget: Budget,
): string | null {
  const machines = [pattern, ...others].map(toMachine);
  const letters = toLetters([VALID_PATH, ...machines]);
  const [own, ...rest] = machines as [Machine, ...Machine[]];
  const start: Node = { own: 0, valid: 0, rest: rest.map(() => [0]), letter: '', from: null };
  const seen = new Set<string>();
  const waiting: Node[] = [start];
  for (let node = waiting[0], at = 0; node !== undefined; node = waiting[++at]) {
    for (const { text, takes } of letters) {
      if (--budget.moves < 0) throw new GivenUp('The search is too long.');
      const valid = move(VALID_PATH, [node.valid], takes)[0];
      if (valid === undefined) continue;
      const owns = move(own, [node.own], takes);
      if (owns.length === 0) continue;
      const next = rest.map((machine, index) => move(machine, node.rest[index] ?? [], takes));
      budget.moves -= next.length;
      const isTaken = rest.some(({ ends }, index) => next[index]?.some((one) => ends.has(one)));
      for (const state of owns) {
        const key = `${state} ${valid} ${next.join(';')}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const reached = { own: state, valid, rest: next, letter: text, from: node };
        if (!isTaken && own.ends.has(state) && VALID_PATH.ends.has(valid)) return spell(reached);
        waiting.push(reached);
      }
    }
  }
  return null;
}

/** A node of the search, and the path to it. */
interface Node {
  readonly own: number;
  readonly valid: number;
  readonly rest: readonly (readonly number[])[];
  readonly letter: string;
  readonly from: Node | null;
}

function spell(node: Node): string {
  let path = '';
  for (let one: Node | null = node; one !== null; one = one.from) path = one.letter + path;
  return path;
}
