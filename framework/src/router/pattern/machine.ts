/**
 * The automaton of a whole pattern, and the letters that a search over several automata has to try.
 *
 * Only paths that a request can have count: `%` occurs only in `%2F` and `%25`, see target.ts.
 */
import { type Automaton, TooLarge, toAutomaton } from './automaton.ts';
import { type CharSet, complement, contains, representatives } from './char-set.ts';
import type { ValuePart } from './parse-parts.ts';
import { toTree } from './part-expression.ts';
import type { Pattern } from './pattern.ts';
import { parseExpression, type Tree } from './regexp-syntax.ts';

/** Thrown if a search has used its budget, or if a pattern is too large for one. */
export class GivenUp extends Error {}

/** An automaton with the start state 0. */
export interface Machine {
  /** The characters that lead into each state; empty for the start state. */
  readonly sets: readonly CharSet[];
  readonly follow: readonly (readonly number[])[];
  readonly ends: ReadonlySet<number>;
}

const machines = new WeakMap<Pattern, Machine>();

/** Throws GivenUp if the pattern is too large. */
export function toMachine(pattern: Pattern): Machine {
  const known = machines.get(pattern);
  if (known !== undefined) return known;
  const values = pattern.parts.filter((part) => part.kind === 'value');
  const tree = toTree(pattern.parts, new Map(values.map((part) => [part, treeOf(part)])));
  const machine = fromAutomaton(automatonOf(tree));
  machines.set(pattern, machine);
  return machine;
}

function automatonOf(tree: Tree): Automaton {
  try {
    return toAutomaton(tree);
  } catch (error) {
    if (error instanceof TooLarge) throw new GivenUp('The pattern is too large.');
    throw error;
  }
}

function treeOf({ expression }: ValuePart): { readonly tree: Tree } | null {
  return expression === null || expression === '*' ? null : { tree: parseExpression(expression) };
}

function fromAutomaton({ sets, first, last, follow, nullable }: Automaton): Machine {
  const shifted = (states: Iterable<number>) => [...states].map((state) => state + 1);
  return {
    sets: [[], ...sets],
    follow: [shifted(first), ...follow.map((moves) => shifted(moves.keys()))],
    ends: new Set(nullable ? [0, ...shifted(last)] : shifted(last)),
  };
}

/** `*`, or any path that target.ts produces: no control characters, no lone surrogates. */
export const VALID_PATH: Machine = (() => {
  const one = (character: string): Tree => {
    const code = character.codePointAt(0) ?? 0;
    return { kind: 'characters', set: [[code, code]] };
  };
  const never: CharSet = [
    [0, 31],
    [37, 37],
    [127, 159],
    [0xd800, 0xdfff],
  ];
  const kept: Tree = { kind: 'choice', options: [one('5'), one('F')] };
  const options: readonly Tree[] = [
    { kind: 'characters', set: complement(never) },
    { kind: 'sequence', items: [one('%'), one('2'), kept] },
  ];
  const rest: Tree = {
    kind: 'repeat',
    item: { kind: 'choice', options },
    least: 0,
    most: Infinity,
  };
  const path: Tree = { kind: 'sequence', items: [one('/'), rest] };
  return fromAutomaton(toAutomaton({ kind: 'choice', options: [one('*'), path] }));
})();

/** The states after one more letter. */
export function move(machine: Machine, states: readonly number[], takes: Takes): readonly number[] {
  const next = new Set<number>();
  for (const state of states) {
    for (const one of machine.follow[state] ?? []) {
      if (takes.has(machine.sets[one] as CharSet)) next.add(one);
    }
  }
  return [...next].sort((a, b) => a - b);
}

/** The sets that contain the letter. */
export type Takes = ReadonlySet<CharSet>;

export interface Letter {
  readonly text: string;
  readonly takes: Takes;
}

/** One letter for each group that all machines treat alike; readable ones come first. */
export function toLetters(list: readonly Machine[]): readonly Letter[] {
  const sets = list.flatMap((machine) => machine.sets);
  const same = Map.groupBy(sets, (set) => set.join());
  const kinds = [...same.values()].map((group) => group[0] as CharSet);
  return [...representatives(kinds)]
    .map((code) => ({
      text: String.fromCodePoint(code),
      takes: new Set([...same.values()].filter(([set]) => contains(set as CharSet, code)).flat()),
    }))
    .sort((a, b) => Number(/[a-z0-9]/.test(b.text)) - Number(/[a-z0-9]/.test(a.text)));
}
