/**
 * Routes of whole segments as a tree: literal text, a parameter, literal text, and so on. A search
 * reads the path from left to right, and stops as soon as no route can match.
 *
 * The lowest index wins, so the search skips branches without a lower index than the best match.
 * Several branches can match one path, as `/a/:x/c` and `/:y/b/c` match `/a/b/c`. So texts that are
 * prefixes of one another are all tried, the longest first.
 */
import { decodeParameter } from '../http/target.ts';
import { buildRouteTree, type Ending, type Text } from './build-route-tree.ts';
import type { PathParams } from './pattern/pattern.ts';
import type { Names, SegmentRoute, Test } from './segment.ts';

/** The matching route, by index, and its parameters. */
export interface Match {
  readonly index: number;
  readonly params: PathParams;
}

/** Patterns with more parameters are matched by their regular expressions. */
export const MAX_PARAMETERS = 32;

const SLASH = 47;
const PERCENT = 37;

/** Start and end of each parameter, alternating. Shared, because searches are synchronous. */
const bounds = new Int32Array(2 * MAX_PARAMETERS);
/** Whether a parameter contains a percent sign. */
let hasEscape = false;

export class RouteTree {
  readonly #cells: Int32Array;
  readonly #texts: readonly Text[];
  readonly #root: number;

  /** `routes` in ascending order of index; each has a parameter. */
  constructor(routes: readonly SegmentRoute[]) {
    const { cells, texts, root } = buildRouteTree(routes);
    this.#cells = cells;
    this.#texts = texts;
    this.#root = root;
  }

  /** The match with the lowest index, if that is less than `below`. */
  find(path: string, below: number): Match | null {
    hasEscape = false;
    if (path.charCodeAt(0) !== SLASH) return null;
    return this.#search(path, this.#root, 0, 0, below);
  }

  /** `start` is the position of the texts of the trie; `count` is the number of parameters before it. */
  #search(path: string, trie: number, start: number, count: number, below: number): Match | null {
    let best: Match | null = null;
    let limit = below;
    for (let text = this.#candidate(path, trie, start); text !== null; text = text.shorter) {
      if (text.min >= limit || !occurs(path, text.text, start)) continue;
      const found = this.#follow(path, text, start + text.text.length, count, limit);
      if (found === null) continue;
      best = found;
      limit = found.index;
    }
    return best;
  }

  /** The longest text that can occur here. */
  #candidate(path: string, trie: number, start: number): Text | null {
    const cells = this.#cells;
    let node = trie;
    while (node > 0) {
      const at = start + (cells[node] as number);
      node = cells[
        at < path.length ? node + 3 + (path.charCodeAt(at) & (cells[node + 1] as number)) : node + 2
      ] as number;
    }
    return node === 0 ? null : (this.#texts[-node] as Text);
  }

  /** The best match for the rest of the path, from `start`, after the text. */
  #follow(path: string, text: Text, start: number, count: number, below: number): Match | null {
    const { end, value, next } = text;
    let best: Match | null = null;
    if (end !== null && start === path.length) best = firstOf(end, path, count, below);
    if (value === null && next === 0) return best;
    const limit = best === null ? below : best.index;
    const stop = endOfValue(path, start);
    bounds[2 * count] = start;
    bounds[2 * count + 1] = stop;
    const found =
      stop === path.length
        ? firstOf(value, path, count + 1, limit)
        : this.#search(path, next, stop, count + 1, limit);
    return found ?? best;
  }
}

/** After a parameter there is always a slash, and usually the text is only that slash. */
function occurs(path: string, text: string, start: number): boolean {
  return text.length === 1 || path.slice(start, start + text.length) === text;
}

function firstOf(first: Ending | null, path: string, count: number, below: number): Match | null {
  for (let ending = first; ending !== null; ending = ending.other) {
    const { index, names, tests } = ending;
    if (index >= below) return null;
    if (passes(tests, path, count)) return { index, params: toParams(names, path, count) };
  }
  return null;
}

function endOfValue(path: string, start: number): number {
  const { length } = path;
  let at = start;
  for (; at < length; at++) {
    const code = path.charCodeAt(at);
    if (code > SLASH) continue;
    if (code === SLASH) break;
    if (code === PERCENT) hasEscape = true;
  }
  return at;
}

function passes(tests: readonly Test[] | null, path: string, count: number): boolean {
  for (let at = 0; at < count; at++) {
    const start = bounds[2 * at] as number;
    const end = bounds[2 * at + 1] as number;
    const test = tests === null ? null : (tests[at] as Test);
    if (test === null ? start === end : !test(path, start, end)) return false;
  }
  return true;
}

function toParams(names: Names, path: string, count: number): PathParams {
  const params: Record<string, string> = {};
  // Unrolled, so that each statement sees few property names: half the time of a loop.
  params[names[0] as string] = valueAt(path, 0);
  if (count > 1) params[names[1] as string] = valueAt(path, 1);
  if (count > 2) params[names[2] as string] = valueAt(path, 2);
  for (let at = 3; at < count; at++) params[names[at] as string] = valueAt(path, at);
  return params;
}

function valueAt(path: string, at: number): string {
  const value = path.slice(bounds[2 * at], bounds[2 * at + 1]);
  return hasEscape ? decodeParameter(value) : value;
}
