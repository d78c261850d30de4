/**
 * Finds routes that no request can reach, because an earlier route of the same method matches all their
 * paths, and reports them when the router starts.
 *
 * One path per route decides: as few other patterns as possible match it. Its text is no literal of another
 * pattern, its number neither, and the rest of a wildcard begins with an empty segment. If an earlier pattern
 * still matches this path, it matches all other paths of the route too.
 */
import { toTypedPath } from '../http/target.ts';
import { createMatchTables, type MatchTable } from './match-table.ts';
import type { Pattern } from './pattern.ts';
import type { Route } from './route.ts';

/** How the router treats an unreachable route. */
export type ShadowedRoutes = 'error' | 'warning' | 'ignore';

export interface RouteList {
  readonly routes: readonly Route[];
  /** In the same order. */
  readonly patterns: readonly Pattern[];
}

/** An unreachable route. */
export interface HiddenRoute {
  readonly route: Route;
  /** The earlier route that matches all its paths. */
  readonly by: Route;
  /** A path of the route, decoded as in target.ts. */
  readonly example: string;
}

/** The unreachable routes, in registration order. */
export function findHidden(
  { routes, patterns }: RouteList,
  tables: ReadonlyMap<string, MatchTable> = createMatchTables({ routes, patterns }),
): readonly HiddenRoute[] {
  const segments = patterns.flatMap((pattern) => pattern.segments);
  const literals = new Set(segments.map((one) => (one.kind === 'literal' ? one.text : '')));
  return routes.flatMap((route, index) => {
    const example = samplePath(patterns[index] as Pattern, literals);
    const winner = tables.get(route.method)?.find(example)?.index ?? index;
    return winner === index ? [] : [{ route, by: routes[winner] as Route, example }];
  });
}

function samplePath({ segments }: Pattern, literals: ReadonlySet<string>): string {
  const texts = segments.map((segment) => {
    if (segment.kind === 'literal') return segment.text;
    if (segment.kind === 'rest') return `/${segment.name}`;
    let number = 1;
    while (literals.has(String(number))) number++;
    let text = segment.name;
    while (literals.has(text)) text += '-';
    return segment.kind === 'int' ? String(number) : text;
  });
  return `/${texts.join('/')}`;
}

/** Further routes are counted, not listed. */
const MAX_LISTED = 20;

/** Throws an Error for 'error', calls `warn` once for 'warning'. */
export function reportHidden(
  list: RouteList,
  level: ShadowedRoutes,
  warn: (message: string) => void,
  tables?: ReadonlyMap<string, MatchTable>,
): void {
  if (level === 'ignore') return;
  const found = findHidden(list, tables);
  if (found.length === 0) return;
  const message = describeHidden(found);
  if (level === 'error') throw new Error(message);
  warn(message);
}

/** The report, one paragraph per route. */
export function describeHidden(found: readonly HiddenRoute[]): string {
  const count = found.length === 1 ? 'a route' : `${found.length} routes`;
  const more = found.length - MAX_LISTED;
  return [
    `Cannot reach ${count}: the routes registered earlier take every path.`,
    ...found.slice(0, MAX_LISTED).map(describeOne),
    ...(more > 0 ? [`  … and ${more} more.`] : []),
  ].join('\n');
}

function describeOne({ route, by, example }: HiddenRoute): string {
  return [
    `  ${describe(route)}`,
    `    is never reached, because all its paths, such as ${toTypedPath(example)}, go to`,
    `  ${describe(by)}`,
    by.pattern === route.pattern
      ? '    Remove one of the two.'
      : '    Register it before that one, or remove it.',
  ].join('\n');
}

function describe({ method, pattern, registeredAt }: Route): string {
  return `${method} ${pattern}, registered at ${registeredAt ?? 'a place that is not known'}`;
}
