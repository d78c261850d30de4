/**
 * Says which routes are never reached, when the router starts: as an error, or as a warning for an
 * application that cannot mend it yet.
 */
import type { Route } from '../route.ts';
import { toTypedPath } from './sample-path.ts';
import { findShadowed, type MatchTables, type RouteList, type Shadowed } from './shadow.ts';

/** What a route that is never reached is to the router. */
export type ShadowedRoutes = 'error' | 'warning' | 'ignore';

/** More are counted, not listed. */
const MOST_LISTED = 20;

/** Throws an Error for 'error', calls `warn` once for 'warning'. */
export function reportShadowed(
  list: RouteList,
  level: ShadowedRoutes,
  warn: (message: string) => void,
  tables?: MatchTables,
): void {
  if (level === 'ignore') return;
  const found = findShadowed(list, tables);
  if (found.length === 0) return;
  const message = describeShadowed(found);
  if (level === 'error') throw new Error(message);
  warn(message);
}

/** The report, one paragraph for each route. */
export function describeShadowed(found: readonly Shadowed[]): string {
  const count = found.length === 1 ? 'a route' : `${found.length} routes`;
  const more = found.length - MOST_LISTED;
  const isTaken = found.every(({ example }) => example !== null);
  return [
    `Cannot reach ${count}${isTaken ? ': the routes registered earlier take every path.' : '.'}`,
    ...found.slice(0, MOST_LISTED).map(describeOne),
    ...(more > 0 ? [`  … and ${more} more.`] : []),
  ].join('\n');
}

function describeOne({ route, by, example }: Shadowed): string {
  if (example === null) {
    return `  ${name(route)}\n    matches no path. A path is decoded before it is matched: "%" stands in it as %25 or in %2F\n    alone, and a control character never does.`;
  }
  const isDouble = by.some(({ pattern }) => pattern === route.pattern);
  const earlier = by.length === 1 ? 'that one' : 'these';
  return [
    `  ${name(route)}`,
    `    is never reached, because all its paths, such as ${toTypedPath(example)}, go to`,
    ...by.map((one) => `  ${name(one)}`),
    isDouble ? '    Remove one of the two.' : `    Register it before ${earlier}, or remove it.`,
  ].join('\n');
}

function name({ method, pattern, registeredAt }: Route): string {
  return `${method} ${pattern}, registered at ${registeredAt ?? 'a place that is not known'}`;
}
