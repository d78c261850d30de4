/**
 * The match table of one method: finds the lowest index among all patterns that match a path.
 *
 * Literal patterns are a map from path to result. If an earlier pattern matches the same path, the map holds
 * the result of that one. The others are a tree with one level per segment. Several branches can match one path, as
 * `/a/:x/c` and `/:y/b/c` match `/a/b/c`, so a search tries all that have an index below the best so far.
 *
 * `findFirst`, the plain walk over all patterns, is the reference: tests compare the table with it.
 */
import { decodeParameter } from '../http/target.ts';
import {
  endOfSegment,
  matchPattern,
  type PathParams,
  type Pattern,
  type Segment,
  toInt,
} from './pattern.ts';

/** The matching route, by index, and its parameters. */
export interface Match {
  readonly index: number;
  readonly params: PathParams;
}

export interface MatchTable {
  readonly find: (path: string) => Match | null;
}

/** A pattern and its index. Of several matching patterns, the lowest index wins. */
export interface IndexedPattern {
  readonly index: number;
  readonly pattern: Pattern;
}

const NO_PARAMS: PathParams = Object.freeze({});

/** Tests all patterns in order. */
export function findFirst(entries: readonly IndexedPattern[], path: string): Match | null {
  for (const { index, pattern } of entries) {
    const params = matchPattern(pattern, path);
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
  const entries = list.patterns.map((pattern, index) => ({ index, pattern }));
  const byMethod = Map.groupBy(entries, ({ index }) => list.routes[index]?.method ?? '');
  return new Map([...byMethod].map(([method, group]) => [method, createMatchTable(group)]));
}

/** `entries` in ascending order of index. */
export function createMatchTable(entries: readonly IndexedPattern[]): MatchTable {
  const root = createNode();
  for (const [at, { pattern }] of entries.entries())
    if (pattern.names.length > 0) add(root, pattern, at);
  const search = (path: string, below: number): Match | null => {
    const at = path.startsWith('/') ? find(root, path, 0, 0, below) : below;
    if (at === below) return null;
    const { index, pattern } = entries[at] as IndexedPattern;
    return { index, params: readParams(pattern, path) };
  };
  const literals = new Map<string, Match>();
  for (const [at, { index, pattern }] of entries.entries()) {
    if (pattern.names.length > 0) continue;
    const path = pattern.segments
      .map((one) => (one.kind === 'literal' ? `/${one.text}` : ''))
      .join('');
    if (!literals.has(path)) literals.set(path, search(path, at) ?? { index, params: NO_PARAMS });
  }
  return { find: (path) => literals.get(path) ?? search(path, entries.length) };
}

/** What can follow at one place of a path. Positions are those in the list of entries. */
interface Node {
  readonly literals: Map<string, Node>;
  int: Node | null;
  text: Node | null;
  /** The position of the first pattern that ends here, and of the first that takes the rest. */
  end: number;
  rest: number;
  /** The lowest position at this node and below. */
  readonly lowest: number;
}

const NONE = 0x3fffffff;

function createNode(lowest = 0): Node {
  return { literals: new Map(), int: null, text: null, end: NONE, rest: NONE, lowest };
}

function add(root: Node, { segments }: Pattern, position: number): void {
  let node = root;
  for (const segment of segments) {
    switch (segment.kind) {
      case 'rest':
        node.rest = Math.min(node.rest, position);
        return;
      case 'literal': {
        const next = node.literals.get(segment.text) ?? createNode(position);
        node.literals.set(segment.text, next);
        node = next;
        break;
      }
      default:
        node = node[segment.kind] ??= createNode(position);
    }
  }
  node.end = Math.min(node.end, position);
}

/** The segments of the path, whatever the branch. Shared, because look-ups are synchronous. */
const texts: string[] = [];

/** The lowest position of a pattern that matches, or `below`. `start` is that of a slash, or the end. */
function find(node: Node, path: string, depth: number, start: number, below: number): number {
  if (node.lowest >= below) return below;
  if (start === path.length) return node.end < below ? node.end : below;
  const end = endOfSegment(path, start + 1);
  const text = path.slice(start + 1, end);
  texts[depth] = text;
  let best = node.rest < below ? node.rest : below;
  const literal = node.literals.size === 0 ? undefined : node.literals.get(text);
  if (literal !== undefined) best = find(literal, path, depth + 1, end, best);
  if (node.int !== null && toInt(text) !== null) best = find(node.int, path, depth + 1, end, best);
  if (node.text !== null && text !== '') best = find(node.text, path, depth + 1, end, best);
  return best;
}

/** The parameters of a path that the pattern matches, after `find` has read its segments. */
function readParams({ segments }: Pattern, path: string): PathParams {
  const params: Record<string, string | number> = {};
  let start = 1;
  for (let at = 0; at < segments.length; at++) {
    const segment = segments[at] as Segment;
    const text = texts[at] as string;
    if (segment.kind === 'int') params[segment.name] = toInt(text) as number;
    else if (segment.kind === 'text') params[segment.name] = decodeParameter(text);
    else if (segment.kind === 'rest') params[segment.name] = decodeParameter(path.slice(start));
    start += text.length + 1;
  }
  return params;
}
