/**
 * Finds routes that can never be reached, because earlier ones of the same method take all their
 * paths, one alone or several together, or because no path matches at all.
 *
 * Each route is first asked for one path of its own. When the table gives that path to the route
 * itself, it is reachable, and that is nearly always so. Otherwise the winner goes on a list, and
 * the next path is one that nobody on the list takes; when there is none, the list is who shadows
 * the route. What cannot be decided within a budget is not reported.
 */
import { createMatchTables, type MatchTable } from '../match-table.ts';
import { type Budget, findPathOutside } from '../pattern/inclusion.ts';
import { GivenUp } from '../pattern/machine.ts';
import type { Pattern } from '../pattern/pattern.ts';
import type { Route } from '../route.ts';
import { createSamplePath } from './sample-path.ts';

/** A route that is never reached. */
export interface Shadowed {
  readonly route: Route;
  /**
   * The earlier ones that take its paths; none can be left out. In the order of registration. Empty
   * for a route whose pattern matches no path.
   */
  readonly by: readonly Route[];
  /** A path of the route that one of them takes, decoded as in target.ts; null when it has none. */
  readonly example: string | null;
}

export interface RouteList {
  readonly routes: readonly Route[];
  /** In the same order. */
  readonly patterns: readonly Pattern[];
}

/** By method; the index of a match is that of its route. */
export type MatchTables = ReadonlyMap<string, MatchTable>;

/** Moves of a search: for one route, and for all of them (about a second). */
export interface Limits {
  readonly each: number;
  readonly all: number;
}

const LIMITS: Limits = { each: 200_000, all: 5_000_000 };
/** Earlier routes that are looked at together. */
const MOST_TOGETHER = 32;

/** The routes that are never reached, in the order of registration. */
export function findShadowed(
  list: RouteList,
  tables: MatchTables = createMatchTables(list),
  limits: Limits = LIMITS,
): readonly Shadowed[] {
  let left = limits.all;
  let look = 0;
  const found: Shadowed[] = [];
  for (const [index, route] of list.routes.entries()) {
    left -= look;
    look += lookUpCost(list.patterns[index]);
    if (left <= 0) break;
    const budget = { moves: Math.min(limits.each, left) };
    const before = budget.moves;
    const answer = search(list, index, tables.get(route.method), budget);
    left -= before - Math.max(0, budget.moves);
    if (answer.kind === 'shadowed') found.push(answer.shadowed);
  }
  return found;
}

/**
 * What the pattern adds to every later look-up, in moves: the table tries one after the other what
 * does not fall into segments, though hardly looks at those whose paths start in another way.
 */
function lookUpCost(pattern: Pattern | undefined): number {
  if (pattern?.segments !== null) return 0;
  return pattern.prefix.length > 1 ? 0.05 : 1;
}

/** What a search has come to; a route that is reached is so by the path. */
export type Reach =
  | { readonly kind: 'reached'; readonly path: string }
  | { readonly kind: 'shadowed'; readonly shadowed: Shadowed }
  | { readonly kind: 'unknown' };

/** The same for a single route. */
export function reachRoute(
  list: RouteList,
  index: number,
  tables: MatchTables = createMatchTables(list),
): Reach {
  const method = list.routes[index]?.method ?? '';
  return search(list, index, tables.get(method), { moves: LIMITS.each });
}

const UNKNOWN: Reach = { kind: 'unknown' };

function search(
  list: RouteList,
  index: number,
  table: MatchTable | undefined,
  budget: Budget,
): Reach {
  const { routes, patterns } = list;
  const route = routes[index];
  const pattern = patterns[index];
  if (route === undefined || pattern === undefined || table === undefined) return UNKNOWN;
  const winners: number[] = [];
  const chosen = (indices: readonly number[]) => indices.map((one) => patterns[one] as Pattern);
  try {
    const first = createSamplePath(pattern) ?? findPathOutside(pattern, [], budget);
    let path = first;
    while (path !== null) {
      const winner = table.find(path)?.index;
      if (winner === index) return { kind: 'reached', path };
      if (winner === undefined || winner > index || winners.length === MOST_TOGETHER)
        return UNKNOWN;
      winners.push(winner);
      const isOnly = pattern.segments !== null && pattern.names.length === 0;
      path = isOnly ? null : findPathOutside(pattern, chosen(winners), budget);
    }
    const needed = winners.reduce<readonly number[]>((kept, one) => {
      const fewer = kept.filter((other) => other !== one);
      const isEnough = kept.length > 1 && findPathOutside(pattern, chosen(fewer), budget) === null;
      return isEnough ? fewer : kept;
    }, winners);
    const by = needed.toSorted((a, b) => a - b).map((one) => routes[one] as Route);
    return { kind: 'shadowed', shadowed: { route, by, example: first } };
  } catch (error) {
    if (error instanceof GivenUp) return UNKNOWN;
    throw error;
  }
}
