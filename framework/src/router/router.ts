/**
 * The router: an ordered list of routes and a global chain. The first route in registration order whose
 * method and pattern both match gets the request. Global middleware runs first, also when no route
 * matches; then the route's middleware; then the handler.
 */

import { compose } from '../chain/compose.ts';
import type { AnyMiddleware, Context, Handler } from '../chain/context.ts';
import type { Awaitable } from '../http/awaitable.ts';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import { empty, notFound, type Response } from '../http/response.ts';
import { reportShadowed, type ShadowedRoutes } from './analysis/report-shadowed.ts';
import type { GlobalMiddleware, RouteHandler } from './chain-types.ts';
import { createMatchTables, type MatchTable } from './match-table.ts';
import type { ParamsOf } from './path-params.ts';
import { type PathParams, type Pattern, parsePattern } from './pattern/pattern.ts';
import type { Method, Route } from './route.ts';

const NO_PARAMS: PathParams = Object.freeze({});

export interface RouterOptions {
  /** What to do about a route that no request can reach; 'error' by default. */
  readonly shadowedRoutes?: ShadowedRoutes;
}

/** An empty router. */
export function createRouter(options: RouterOptions = {}): Router<Context, never> {
  return new Router(options);
}

/** `C` is the context after the global chain; `Names` are the names of the routes. */
export class Router<C extends Context, Names extends string = string> {
  readonly #routes: Route<Names>[] = [];
  readonly #patterns: Pattern[] = [];
  readonly #global: AnyMiddleware[] = [];
  readonly #shadowedRoutes: ShadowedRoutes;
  #compiled: Compiled | null = null;

  constructor({ shadowedRoutes = 'error' }: RouterOptions = {}) {
    this.#shadowedRoutes = shadowedRoutes;
  }

  /** The routes, in the order of registration. */
  get routes(): readonly Route<Names>[] {
    return this.#routes;
  }

  /** The parsed patterns of the routes, in the same order. */
  get patterns(): readonly Pattern[] {
    return this.#patterns;
  }

  /** The global chain, in the order of `use`. */
  get middleware(): readonly AnyMiddleware[] {
    return this.#global;
  }

  /**
   * Appends to the global chain, which runs for every request, matched or not. Throws after a route was
   * registered: its chain was checked without the middleware.
   */
  use<N, A, F>(middleware: GlobalMiddleware<C, N, A, F>): Router<C & A, Names> {
    const [first] = this.#routes;
    if (first !== undefined) throw lateUse(middleware as AnyMiddleware, first);
    this.#global.push(middleware as AnyMiddleware);
    this.#compiled = null;
    return this as unknown as Router<C & A, Names>;
  }

  /** Appends a route. Throws a PatternError for an invalid pattern. */
  register<M extends Method, P extends string, const Ms extends readonly AnyMiddleware[], H>(
    method: M,
    pattern: P,
    middleware: readonly [...Ms],
    handler: RouteHandler<M, C & { readonly params: ParamsOf<P> }, Ms, H>,
  ): Router<C, Names | `${M} ${P}`> {
    this.#patterns.push(parsePattern(pattern));
    // The stack is formatted on demand: with thousands of routes it would take most of the time.
    const trace = new Error();
    this.#routes.push({
      name: `${method} ${pattern}` as Names,
      method,
      pattern,
      middleware: [...middleware],
      handler: handler as Route['handler'],
      get registeredAt() {
        return findCaller(trace);
      },
    });
    this.#compiled = null;
    return this as unknown as Router<C, Names | `${M} ${P}`>;
  }

  /** Appends a GET route (it answers HEAD too): middleware in order, then the handler. */
  get<P extends string, const Ms extends readonly AnyMiddleware[], H>(
    pattern: P,
    ...chain: [...Ms, RouteHandler<'GET', C & { readonly params: ParamsOf<P> }, Ms, H>]
  ): Router<C, Names | `GET ${P}`> {
    return this.#append('GET', pattern, chain) as never;
  }

  /** Appends a POST route: middleware in order, then the handler. */
  post<P extends string, const Ms extends readonly AnyMiddleware[], H>(
    pattern: P,
    ...chain: [...Ms, RouteHandler<'POST', C & { readonly params: ParamsOf<P> }, Ms, H>]
  ): Router<C, Names | `POST ${P}`> {
    return this.#append('POST', pattern, chain) as never;
  }

  #append(method: Method, pattern: string, chain: readonly unknown[]): unknown {
    const middleware = chain.slice(0, -1) as AnyMiddleware[];
    return this.register(method, pattern, middleware, chain.at(-1) as never);
  }

  /**
   * Compiles the table and the chains, which the first request would do otherwise. Throws if no request
   * can reach a route; the error names the routes that match its paths.
   */
  prepare(): this {
    this.#compiled ??= this.#compile();
    return this;
  }

  /** Answers a request. Throws only if a middleware outside `catchErrors` does. */
  handle(request: Request): Awaitable<Response> {
    this.#compiled ??= this.#compile();
    const { tables, chains, malformed, serverWide, unmatched } = this.#compiled;
    if (request.malformed !== null) return malformed(toContext(request, null, NO_PARAMS));
    const { method } = request;
    const match = tables.get(method === 'HEAD' ? 'GET' : method)?.find(request.path);
    const chain = match && chains[match.index];
    if (!match || !chain) {
      return (request.path === '*' ? serverWide : unmatched)(toContext(request, null, NO_PARAMS));
    }
    return chain(toContext(request, this.#routes[match.index] ?? null, match.params));
  }

  #compile(): Compiled {
    const tables = createMatchTables(this);
    reportShadowed(this, this.#shadowedRoutes, (message) => process.emitWarning(message), tables);
    return {
      tables,
      chains: this.#routes.map((route) =>
        compose([...this.#global, ...route.middleware], route.handler, route),
      ),
      unmatched: compose(this.#global, notFound, null),
      malformed: compose(this.#global, refuseMalformed, null),
      serverWide: compose(this.#global, () => empty(), null),
    };
  }
}

interface Compiled {
  /** By method. The index of a match is that of its route. */
  readonly tables: ReadonlyMap<string, MatchTable>;
  readonly chains: readonly Handler<Context>[];
  readonly unmatched: Handler<Context>;
  readonly malformed: Handler<Context>;
  /** For `OPTIONS *`, which only asks whether the server answers (RFC 9110 section 9.3.7). */
  readonly serverWide: Handler<Context>;
}

function lateUse({ name }: AnyMiddleware, { name: route, registeredAt }: Route): Error {
  const late = name === '' ? 'a middleware without a name' : JSON.stringify(name);
  const place = registeredAt === null ? '' : `, at ${registeredAt}`;
  return new Error(
    `Cannot use ${late} after the route ${route} was registered${place}: global middleware runs for every route, and this one was checked without it. Call use before the first route, or pass the middleware to the routes that need it.`,
  );
}

/** The nearest line of the stack outside this file. */
function findCaller(trace: Error): string | null {
  const lines = trace.stack?.split('\n').slice(1) ?? [];
  const caller = lines.find((line) => !line.includes(import.meta.url));
  return /\(?(?:file:\/\/)?([^()\s]+:\d+:\d+)\)?$/.exec(caller ?? '')?.[1] ?? null;
}

function toContext(
  request: Request,
  route: Route | null,
  params: PathParams,
): Context & { params: PathParams } {
  return { request, route, params };
}

function refuseMalformed(context: Context): never {
  throw new HttpError(400, context.request.malformed ?? 'The address cannot be read.');
}
