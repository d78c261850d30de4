/**
 * The position automaton of an expression (Glushkov's): a state for each character that stands in
 * it, no empty moves. Moves are counted, because two ways to make the same move are two ways to
 * match the same text.
 */
import type { CharSet } from './char-set.ts';
import type { Tree } from './regexp-syntax.ts';

export interface Automaton {
  /** The characters that lead into each state. */
  readonly sets: readonly CharSet[];
  /** The states that a match can begin with. */
  readonly first: ReadonlySet<number>;
  /** The states that a match can end with. */
  readonly last: ReadonlySet<number>;
  /** From each state, the next ones, with the number of ways to get there. */
  readonly follow: readonly ReadonlyMap<number, number>[];
  /** Whether the empty text matches. */
  readonly nullable: boolean;
}

/** More positions than any sensible pattern has. */
const MOST_STATES = 400;

export class TooLarge extends Error {}

interface Piece {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly nullable: boolean;
}

const EMPTY: Piece = { first: [], last: [], nullable: true };

/** Throws TooLarge when the counts in the expression unfold to too many states. */
export function toAutomaton(tree: Tree): Automaton {
  const sets: CharSet[] = [];
  const follow: Map<number, number>[] = [];

  const connect = (from: readonly number[], to: readonly number[]) => {
    for (const state of from) {
      const moves = follow[state];
      for (const next of to) moves?.set(next, (moves.get(next) ?? 0) + 1);
    }
  };
  const append = (a: Piece, b: Piece): Piece => {
    connect(a.last, b.first);
    return {
      first: a.nullable ? [...a.first, ...b.first] : a.first,
      last: b.nullable ? [...a.last, ...b.last] : b.last,
      nullable: a.nullable && b.nullable,
    };
  };
  const build = (node: Tree): Piece => {
    switch (node.kind) {
      case 'characters': {
        const state = sets.push(node.set) - 1;
        if (state >= MOST_STATES) throw new TooLarge();
        follow.push(new Map());
        return { first: [state], last: [state], nullable: false };
      }
      case 'sequence':
        return node.items.map(build).reduce(append, EMPTY);
      case 'choice': {
        const pieces = node.options.map(build);
        return {
          first: pieces.flatMap(({ first }) => first),
          last: pieces.flatMap(({ last }) => last),
          nullable: pieces.some(({ nullable }) => nullable),
        };
      }
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
      return append(piece, { ...loop, nullable: loop.nullable || least === 0 });
    }
    // a{0,2} is (a(a)?)?: each further one comes only after the one before it.
    let optional = EMPTY;
    for (let count = least; count < most; count++)
      optional = { ...append(build(item), optional), nullable: true };
    return append(piece, optional);
  };

  const whole = build(tree);
  return {
    sets,
    follow,
    first: new Set(whole.first),
    last: new Set(whole.last),
    nullable: whole.nullable,
  };
}
