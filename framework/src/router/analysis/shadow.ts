/**
 * Finds routes that no request can reach: earlier routes of the same method, alone or together, match
 * all their paths, or no path matches the pattern at all.
 *
 * For each route, the search takes one path that its pattern matches. If the table gives that path to
 * the route itself, the route is reachable; this is the usual case. Otherwise the winning route joins a
 * list, and the search looks for a path that no route on the list matches. If there is none, the routes
 * on the list shadow this one. A route whose search exceeds its budget is not reported.
 */
import { createMatchTables, type MatchTable } from '../match-table.ts';
import { type Budget, findPathOutside } from '../pattern/inclusion.ts';
import { GivenUp } from '../pattern/machine.ts';
import type { Pattern } from '../pattern/pattern.ts';
import type { Route } from '../route.ts';
import { createSamplePath } from './sample-path.ts';

/** An unreachable route. */
export interface Shadowed {
  readonly route: Route;
  /**
   * A minimal list of earlier routes that match all its paths, in registration order. Empty if its
   * pattern matches no path.
   */
  readonly by: readonly Route[];
  /** A path of the route, decoded as in target.ts; null if its pattern matches none. */
  readonly example: string | null;
}

export interface RouteList {
  readonly routes: readonly Route[];
  /** In the same order. */
  readonly patterns: readonly Pattern[];
}

/** By method. The index of a match is that of its route. */
export type MatchTables = ReadonlyMap<string, MatchTable>;

/** Maximum number of search steps: for one route, and for all routes (about a second). */
export interface Limits {
  readonly each: number;
  readonly all: number;
}

const LIMITS: Limits = { each: 200_000, all: 5_000_000 };
/** Maximum number of earlier routes that are combined. */
const MAX_TOGETHER = 32;

/** The unreachable routes, in registration order. */
export function findShadowed(
  list: RouteList,
  tables: MatchTables = createMatchTables(list),
  limits: Limits = LIMITS,
): readonly Shadowed[] {
  let left = limits.all;
  let lookUps = 0;
  const found: Shadowed[] = [];
  for (const [index, route] of list.routes.entries()) {
    left -= lookUps;
    lookUps += lookUpCost(list.patterns[index]);
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
 * The cost in steps that the pattern adds to every later look-up. The table tests patterns that do not
 * consist of segments one after the other, but skips those with a different prefix quickly.
 */
function lookUpCost(pattern: Pattern | undefined): number {
  if (pattern?.segments !== null) return 0;
  return pattern.prefix.length > 1 ? 0.05 : 1;
}

/** The result of a search; a reachable route has a path that reaches it. */
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
      if (winner === undefined || winner > index || winners.length === MAX_TOGETHER) return UNKNOWN;
      winners.push(winner);
      const isOnly = pattern.segments !== null && pattern.names.length === 0;
      path = isOnly ? null : findPathOutside(pattern, chosen(winners), budget);
    }
    const needed = winners.reduce<readonly number[]>((remaining, one) => {
      const fewer = remaining.filter((other) => other !== one);
      const isEnough =
        remaining.length > 1 && findPathOutside(pattern, chosen(fewer), budget) === null;
      return isEnough ? fewer : remaining;
    }, winners);
    const by = needed.toSorted((a, b) => a - b).map((one) => routes[one] as Route);
    return { kind: 'shadowed', shadowed: { route, by, example: first } };
  } catch (error) {
    if (error instanceof GivenUp) return UNKNOWN;
    throw error;
  }
}
