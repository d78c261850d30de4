/**
 * Reports routes that no request can reach when the router starts: as an error, or as a warning for an
 * application that cannot fix them yet.
 */
import type { Route } from '../route.ts';
import { toTypedPath } from './sample-path.ts';
import { findShadowed, type MatchTables, type RouteList, type Shadowed } from './shadow.ts';

/** How the router treats an unreachable route. */
export type ShadowedRoutes = 'error' | 'warning' | 'ignore';

/** Further routes are counted, not listed. */
const MAX_LISTED = 20;

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

/** The report, one paragraph per route. */
export function describeShadowed(found: readonly Shadowed[]): string {
  const count = found.length === 1 ? 'a route' : `${found.length} routes`;
  const more = found.length - MAX_LISTED;
  const isTaken = found.every(({ example }) => example !== null);
  return [
    `Cannot reach ${count}${isTaken ? ': the routes registered earlier take every path.' : '.'}`,
    ...found.slice(0, MAX_LISTED).map(describeOne),
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
