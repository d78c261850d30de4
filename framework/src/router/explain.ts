/**
 * What the router would do with a request, as data: every route in order, with the reason if it does
 * not match, and the chain that would run. Nothing is executed.
 *
 * It tests each pattern by itself, so it also checks the match table. It cannot predict that a
 * middleware answers before the end of the chain.
 */
import type { AnyMiddleware } from '../chain/context.ts';
import { descriptionOf } from '../chain/describe-middleware.ts';
import { createRequest } from '../http/request.ts';
import { toTypedPath } from '../http/target.ts';
import { english } from '../language/english.ts';
import { matchPattern, type PathParams, type Pattern, toInt } from './pattern.ts';
import type { Method, Route } from './route.ts';

export interface RouteExplanation {
  readonly method: Method;
  readonly pattern: string;
  readonly registeredAt: string | null;
  readonly matches: boolean;
  /** The parameters; null if the route does not match. */
  readonly params: PathParams | null;
  /** Why it does not match, in words; null if it does. */
  readonly reason: string | null;
}

/** A middleware or handler of the chain that would run, the outermost first. */
export interface ElementExplanation {
  /** Empty for a function without a name. */
  readonly name: string;
  readonly of: 'router' | 'route' | 'handler';
  /** Known for the framework's own middleware; null for any other, and for a handler. */
  readonly needs: readonly string[] | null;
  readonly adds: readonly string[] | null;
}

/** What would happen to a request: the result of `explain`. */
export interface Explanation {
  readonly method: string;
  /** Decoded, as the patterns see it. */
  readonly path: string;
  /** Why the path is refused with 400 before matching, or null. */
  readonly malformed: string | null;
  /** In the order of registration. */
  readonly routes: readonly RouteExplanation[];
  /** The index in `routes` of the route that answers; null for a 404 or a 400. */
  readonly winner: number | null;
  /** The global chain alone if no route matches. */
  readonly chain: readonly ElementExplanation[];
}

/** The parts of a router that `explain` reads. */
export interface Explainable {
  readonly routes: readonly Route[];
  readonly patterns: readonly Pattern[];
  readonly middleware: readonly AnyMiddleware[];
}

/**
 * What would happen to a request, as data, without running anything. `path` as a client sends it: escaped,
 * optionally with a query.
 */
export function explain(router: Explainable, method: string, path: string): Explanation {
  const request = createRequest({ method, target: path });
  const routes = router.routes.map((route, index) =>
    explainRoute(route, router.patterns[index] as Pattern, request),
  );
  const found = routes.findIndex(({ matches }) => matches);
  const winner = found === -1 ? null : found;
  const route = winner === null ? undefined : router.routes[winner];
  return {
    method,
    path: request.path,
    malformed: request.malformed === null ? null : english.words.addressFlaws[request.malformed],
    routes,
    winner,
    chain: [
      ...router.middleware.map((one) => explainMiddleware(one, 'router')),
      ...(route?.middleware ?? []).map((one) => explainMiddleware(one, 'route')),
      ...(route === undefined ? [] : [explainHandler(route)]),
    ],
  };
}

function explainRoute(
  { method, pattern: source, registeredAt }: Route,
  pattern: Pattern,
  request: ReturnType<typeof createRequest>,
): RouteExplanation {
  const asked = request.method === 'HEAD' ? 'GET' : request.method;
  const isLookedAt = request.malformed === null && method === asked;
  const params = isLookedAt ? matchPattern(pattern, request.path) : null;
  const reason = () => {
    if (request.malformed !== null) return 'the address is refused before matching';
    return method === asked ? explainMiss(pattern, request.path) : `its method is ${method}`;
  };
  return {
    method,
    pattern: source,
    registeredAt,
    matches: params !== null,
    params,
    reason: params === null ? reason() : null,
  };
}

function explainMiddleware(middleware: AnyMiddleware, of: 'router' | 'route'): ElementExplanation {
  const said = descriptionOf(middleware);
  return { name: middleware.name, of, needs: said?.needs ?? null, adds: said?.adds ?? null };
}

function explainHandler({ handler }: Route): ElementExplanation {
  return { name: handler.name, of: 'handler', needs: null, adds: null };
}

/** Why the path does not match: the number of segments, or the first segment that differs. */
function explainMiss({ segments }: Pattern, path: string): string {
  if (!path.startsWith('/')) return 'the path does not start with "/"';
  const given = path.slice(1).split('/');
  const least = segments.length;
  const isOpen = segments.at(-1)?.kind === 'rest';
  if (isOpen ? given.length < least : given.length !== least)
    return `the path has ${count(given.length)}, the pattern has ${least}${isOpen ? ' or more' : ''}`;
  for (const [index, segment] of segments.entries()) {
    const actual = given[index] ?? '';
    const place = `segment ${index + 1}`;
    if (segment.kind === 'literal' && segment.text !== actual)
      return `${place} is ${show(actual)}, the pattern has ${show(segment.text)}`;
    if (segment.kind === 'text' && actual === '') return `${place} is empty`;
    if (segment.kind === 'int' && toInt(actual) === null)
      return `${place}, ${show(actual)}, is no whole number from 1 to 2^53 - 1`;
  }
  return 'it does not match';
}

function count(segments: number): string {
  return segments === 1 ? '1 segment' : `${segments} segments`;
}

function show(text: string): string {
  return `"${toTypedPath(text)}"`;
}
