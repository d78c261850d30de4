/**
 * The compiled table of one method: finds the lowest index among all patterns that match a path.
 *
 * Patterns without parameters are a map from path to result, and what an earlier pattern with
 * parameters would take of them is settled when the table is made. Patterns of whole segments are
 * sorted by shape: how many segments they have, and which of them are literal. A path is scanned
 * once, which gives a hash of each segment; a shape is then one probe of a hash table, however many
 * routes it has. What does not fall into segments is tried by its own regular expression, in order,
 * as long as it could still win.
 *
 * `findFirst` is the measure: the plain walk that this table must never differ from.
 */
import type { PathParams, Pattern } from './pattern/pattern.ts';
import { MOST_SEGMENTS, scanSegments } from './scan-segments.ts';
import type { SegmentRoute } from './segment-lines.ts';
import { Shape } from './segment-shape.ts';

/** What a path leads to: the index of the winner, and its parameters. */
export interface Match {
  readonly index: number;
  readonly params: PathParams;
}

export interface MatchTable {
  readonly find: (path: string) => Match | null;
}

/** A pattern with the index that decides which of several wins: the lowest. */
export interface Entry {
  readonly index: number;
  readonly pattern: Pattern;
}

const NO_PARAMS: PathParams = Object.freeze({});
const NONE = 0x3fffffff;

/** The plain walk, in order. */
export function findFirst(entries: readonly Entry[], path: string): Match | null {
  for (const { index, pattern } of entries) {
    const params = pattern.match(path);
    if (params !== null) return { index, params };
  }
  return null;
}

/** The tables of a list of routes by method; the index of a match is that of its route. */
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
    else if (segments === null || segments.length > MOST_SEGMENTS) others.push(entry);
    else routes.push({ index: entry.index, names, segments });
  }
  const search = createSearch(groupByLength(routes), others);
  for (const { index, pattern } of literal) {
    if (!fixed.has(pattern.prefix)) {
      fixed.set(pattern.prefix, search(pattern.prefix, index) ?? { index, params: NO_PARAMS });
    }
  }
  const lengths = lengthsOf(fixed);
  return {
    // Most paths that are no literal one have a length that none of them has: a look-up less.
    find: (path) =>
      (lengths[path.length] === 1 ? fixed.get(path) : undefined) ?? search(path, NONE),
  };
}

/** One bit for each segment, set for a parameter, below a bit that marks the length. */
function shapeOf(segments: SegmentRoute['segments']): number {
  return segments.reduce((bits, { text }) => bits * 2 + (text === null ? 1 : 0), 1);
}

/** 1 at each length that one of the paths has. */
function lengthsOf(paths: ReadonlyMap<string, unknown>): Uint8Array {
  let longest = 0;
  for (const { length } of paths.keys()) longest = Math.max(longest, length);
  const lengths = new Uint8Array(longest + 1);
  for (const path of paths.keys()) lengths[path.length] = 1;
  return lengths;
}

/** Shapes by the number of their segments, each list in the order of the lowest index. */
function groupByLength(routes: readonly SegmentRoute[]): readonly (readonly Shape[])[] {
  const byLength: Shape[][] = [];
  const groups = Map.groupBy(routes, ({ segments }) => shapeOf(segments));
  for (const group of groups.values()) {
    const shape = new Shape(group);
    byLength[shape.length] ??= [];
    byLength[shape.length]?.push(shape);
  }
  return byLength;
}

function createSearch(shapes: readonly (readonly Shape[] | undefined)[], others: readonly Entry[]) {
  const most = Math.max(0, shapes.length - 1);
  return (path: string, below: number): Match | null => {
    let best = below;
    let winner: Shape | null = null;
    const candidates = shapes[scanSegments(path, most)];
    if (candidates !== undefined) {
      for (let at = 0; at < candidates.length; at++) {
        const shape = candidates[at] as Shape;
        if (shape.min >= best) break;
        const index = shape.find(path, best);
        if (index === -1) continue;
        winner = shape;
        best = index;
      }
    }
    for (let at = 0; at < others.length; at++) {
      const { index, pattern } = others[at] as Entry;
      if (index >= best) break;
      const params = path.startsWith(pattern.prefix) ? pattern.match(path) : null;
      if (params !== null) return { index, params };
    }
    return winner === null ? null : { index: best, params: winner.params(path) };
  };
}
