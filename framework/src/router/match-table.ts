/**
 * The compiled match table of one method: finds the lowest index among all patterns that match a path.
 *
 * Literal patterns are a map from path to result; compilation resolves which of them an earlier pattern
 * with parameters matches. Patterns of whole segments are a tree, see route-tree.ts. All other patterns
 * are tested by their regular expressions, in order, as long as one of them could still win.
 *
 * `findFirst`, the plain walk over all patterns, is the reference: tests compare the table with it.
 */
import type { PathParams, Pattern } from './pattern/pattern.ts';
import { MAX_PARAMETERS, type Match, RouteTree } from './route-tree.ts';
import type { SegmentRoute } from './segment.ts';

export type { Match } from './route-tree.ts';

export interface MatchTable {
  readonly find: (path: string) => Match | null;
}

/** A pattern and its index. Of several matching patterns, the lowest index wins. */
export interface Entry {
  readonly index: number;
  readonly pattern: Pattern;
}

const NO_PARAMS: PathParams = Object.freeze({});
const NONE = 0x3fffffff;

/** Tests all patterns in order. */
export function findFirst(entries: readonly Entry[], path: string): Match | null {
  for (const { index, pattern } of entries) {
    const params = pattern.match(path);
    if (params !== null) return { index, params };
  }
  return null;
}

/** The match tables of a list of routes, by method. The index of a match is that of its route. */
export function createMatchTables(list: {
  readonly routes: readonly { readonly method: string }[];
  /** In the same order. */
  readonly patterns: readonly Pattern[];
}): ReadonlyMap<string, MatchTable> {
  const entries = list.routes.map(({ method }, index) => ({
    method,
    index,
    pattern: list.patterns[index] as Pattern,
  }));
  const byMethod = Map.groupBy(entries, ({ method }) => method);
  return new Map([...byMethod].map(([method, group]) => [method, createMatchTable(group)]));
}

/** `entries` in ascending order of index. */
export function createMatchTable(entries: readonly Entry[]): MatchTable {
  const fixed = new Map<string, Match>();
  const literal: Entry[] = [];
  const routes: SegmentRoute[] = [];
  const others: Entry[] = [];
  for (const entry of entries) {
    const { segments, names } = entry.pattern;
    if (segments !== null && names.length === 0) literal.push(entry);
    else if (segments === null || names.length > MAX_PARAMETERS) others.push(entry);
    else routes.push({ index: entry.index, names, segments });
  }
  const search = createSearch(new RouteTree(routes), others);
  for (const { index, pattern } of literal) {
    if (!fixed.has(pattern.prefix)) {
      fixed.set(pattern.prefix, search(pattern.prefix, index) ?? { index, params: NO_PARAMS });
    }
  }
  const lengths = lengthsOf(fixed);
  return {
    // Most other paths have a length that no literal path has, so they skip this look-up.
    find: (path) =>
      (lengths[path.length] === 1 ? fixed.get(path) : undefined) ?? search(path, NONE),
  };
}

/** 1 at the length of each path. */
function lengthsOf(paths: ReadonlyMap<string, unknown>): Uint8Array {
  let longest = 0;
  for (const { length } of paths.keys()) longest = Math.max(longest, length);
  const lengths = new Uint8Array(longest + 1);
  for (const path of paths.keys()) lengths[path.length] = 1;
  return lengths;
}

function createSearch(tree: RouteTree, others: readonly Entry[]) {
  return (path: string, below: number): Match | null => {
    const best = tree.find(path, below);
    const limit = best === null ? below : best.index;
    for (let at = 0; at < others.length; at++) {
      const { index, pattern } = others[at] as Entry;
      if (index >= limit) break;
      const params = path.startsWith(pattern.prefix) ? pattern.match(path) : null;
      if (params !== null) return { index, params };
    }
    return best;
  };
}
