/**
 * The position automaton of an expression (Glushkov's): one state per character in it, no empty moves.
 * It counts ways, because two ways to make the same move, as in `a(?:b?|c?)` before an `a`, are two
 * ways to match the same text.
 *
 * The engine tries a loop iteration that matches nothing before it abandons it, so this counts as a way
 * too.
 */
import type { CharSet } from './char-set.ts';
import type { Tree } from './regexp-syntax.ts';

export interface Automaton {
  /** The characters that lead into each state. */
  readonly sets: readonly CharSet[];
  /** The states that a match can start with. */
  readonly first: ReadonlySet<number>;
  /** The states that a match can end with. */
  readonly last: ReadonlySet<number>;
  /** From each state, the next states, with the number of ways to reach them. */
  readonly follow: readonly ReadonlyMap<number, number>[];
  /** Whether the empty text matches. */
  readonly nullable: boolean;
  /** The number of ways to start with a state, to end after one, and to match the empty text. */
  readonly ways: {
    readonly first: ReadonlyMap<number, number>;
    readonly last: ReadonlyMap<number, number>;
    readonly empty: number;
  };
}

/** More positions than any sensible pattern has. */
const MAX_STATES = 400;
/** Maximum number of tree nodes to visit; a repeated empty expression creates nodes but no states. */
const MAX_NODES = 10_000;

export class TooLarge extends Error {}

type Ways = readonly (readonly [state: number, count: number])[];

interface Piece {
  readonly first: Ways;
  readonly last: Ways;
  readonly empty: number;
}

const EMPTY: Piece = { first: [], last: [], empty: 1 };
const NOTHING: Piece = { first: [], last: [], empty: 0 };

/** Throws TooLarge if the expanded counts create too many states. */
export function toAutomaton(tree: Tree): Automaton {
  const sets: CharSet[] = [];
  const follow: Map<number, number>[] = [];
  let nodes = 0;

  const connect = (from: Ways, to: Ways) => {
    for (const [state, before] of from) {
      const moves = follow[state];
      for (const [next, after] of to) moves?.set(next, (moves.get(next) ?? 0) + before * after);
    }
  };
  const append = (a: Piece, b: Piece): Piece => {
    connect(a.last, b.first);
    return {
      first: [...a.first, ...times(b.first, a.empty)],
      last: [...times(a.last, b.empty), ...b.last],
      empty: a.empty * b.empty,
    };
  };
  const build = (node: Tree): Piece => {
    if (++nodes > MAX_NODES) throw new TooLarge();
    switch (node.kind) {
      case 'characters': {
        const state = sets.push(node.set) - 1;
        if (state >= MAX_STATES) throw new TooLarge();
        follow.push(new Map());
        return { first: [[state, 1]], last: [[state, 1]], empty: 0 };
      }
      case 'sequence':
        return node.items.map(build).reduce(append, EMPTY);
      case 'choice':
        return node.options.map(build).reduce(either, NOTHING);
      case 'repeat':
        return repeat(node);
    }
  };
  const repeat = ({ item, least, most }: Tree & { readonly kind: 'repeat' }): Piece => {
    let piece = EMPTY;
    const unbounded = most === Infinity;
    const needed = unbounded ? Math.max(0, least - 1) : least;
    for (let count = 0; count < needed; count++) piece = append(piece, build(item));
    if (unbounded) {
      const loop = build(item);
      connect(loop.last, loop.first);
      const { empty } = loop;
      return append(piece, { ...loop, empty: least === 0 ? 1 + empty : empty * (1 + empty) });
    }
    // a{0,2} is (a(a)?)?: each further one only follows the one before it.
    let optional = EMPTY;
    for (let count = least; count < most; count++)
      optional = either(append(build(item), optional), EMPTY);
    return append(piece, optional);
  };

  const { first, last, empty } = build(tree);
  return {
    sets,
    follow,
    first: new Set(first.map(([state]) => state)),
    last: new Set(last.map(([state]) => state)),
    nullable: empty > 0,
    ways: { first: new Map(first), last: new Map(last), empty },
  };
}

function either(a: Piece, b: Piece): Piece {
  return {
    first: [...a.first, ...b.first],
    last: [...a.last, ...b.last],
    empty: a.empty + b.empty,
  };
}

function times(ways: Ways, factor: number): Ways {
  if (factor === 0) return [];
  return factor === 1 ? ways : ways.map(([state, count]) => [state, count * factor]);
}
