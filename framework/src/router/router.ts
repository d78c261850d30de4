/**
 * Global middleware runs first, also when no route matches; then the route's middleware; then the handler. The
 * table and the chains are compiled once, when the first request comes or by `prepare`.
 */

import { compose } from '../chain/compose.ts';
import type { AnyMiddleware, Context } from '../chain/context.ts';
import type { Advice } from '../http/advice.ts';
import type { Awaitable } from '../http/awaitable.ts';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import { empty, notFound, type Response } from '../http/response.ts';
import type {
  After,
  AnyFormHandler,
  ChainFunction,
  End,
  GlobalMiddleware,
  RouteHandler,
} from './chain-types.ts';
import {
  checkCrossOrigin,
  checkFormOfGet,
  checkGlobal,
  checkHandler,
  checkMiddleware,
} from './check-chain.ts';
import { reportHidden } from './hidden-routes.ts';
import { createMatchTables } from './match-table.ts';
import type { CheckedPattern, ParamsOf } from './path-params.ts';
import { type PathParams, type Pattern, parsePattern } from './pattern.ts';
import type { Method, Route } from './route.ts';
import {
  type Compiled,
  checkPrefix,
  createTable,
  findCaller,
  lateUse,
  NO_GROUP,
  type RouterOptions,
  type Scope,
  type Table,
} from './route-registry.ts';

const NO_PARAMS: PathParams = Object.freeze({});

/** An empty router. */
export function createRouter(options: RouterOptions = {}): Router<Context, never> {
  return new Router(options);
}

/** The group whose routes run after the middleware `Ms` of a router with the context `C`. */
type Group<C, Prefix extends string, Ms> =
  After<C & { readonly params: ParamsOf<Prefix> }, Ms> extends End<infer Reached, infer Sentence>
    ? [Sentence] extends [never]
      ? Router<Reached & Context, never, Prefix>
      : Advice<Sentence>
    : never;

// biome-ignore lint/suspicious/noExplicitAny: only the names of its routes are inferred, or nothing.
export type AnyRouter<Names extends string = any> = Router<any, Names, any>;

/**
 * An ordered list of routes behind a chain of global middleware; `createRouter` makes one. The first route
 * that matches answers. `C` is the context after the global chain; `Names` are the names of the routes;
 * `Prefix` is that of the group.
 */
export class Router<C extends Context, Names extends string = string, Prefix extends string = ''> {
  /**
   * For the compiler alone: a router is passed on only as one whose context has less. The parameters of methods do not
   * say so, because TypeScript compares them in both directions.
   */
  declare readonly '~context'?: () => C;
  readonly #table: Table;
  readonly #scope: Scope;
  /** The index of the first route that is registered here. */
  readonly #start: number;

  constructor(
    options: RouterOptions = {},
    table: Table = createTable(options),
    scope: Scope = NO_GROUP,
  ) {
    this.#table = table;
    this.#scope = scope;
    this.#start = table.routes.length;
  }

  /** The routes, in the order of registration. */
  get routes(): readonly Route<Names>[] {
    return this.#table.routes as Route<string>[] as Route<Names>[];
  }

  /** The parsed patterns of the routes, in the same order, with the base. */
  get patterns(): readonly Pattern[] {
    return this.#table.patterns;
  }

  /** The global chain, in the order of `use`. */
  get middleware(): readonly AnyMiddleware[] {
    return this.#table.global;
  }

  /**
   * Appends to the global chain, which runs for every request, matched or not; in a group, to the chain of
   * its routes. Throws after a route was registered: its chain was checked without the middleware.
   */
  use<N, A, F>(middleware: GlobalMiddleware<C, N, A, F>): Router<C & A, Names, Prefix> {
    const first = this.#table.routes[this.#start];
    if (first !== undefined) throw lateUse(middleware as AnyMiddleware, first);
    const { global } = this.#table;
    const chain = this.#scope.middleware ?? global;
    checkMiddleware('', chain === global ? global : [...global, ...chain], [middleware]);
    if (chain === global) checkGlobal(middleware as AnyMiddleware);
    chain.push(middleware as AnyMiddleware);
    this.#table.compiled = null;
    return this as AnyRouter;
  }

  /**
   * Registers the routes of a group. Their patterns begin with the prefix, which may be empty; the
   * middleware runs after the global chain and before their own. Returns the router with their names.
   */
  group<P extends string, const Ms extends readonly ChainFunction[], Inner extends string>(
    prefix: CheckedPattern<P>,
    ...chain: [
      ...middleware: Ms,
      routes: (group: Group<C, `${Prefix}${P}`, Ms>) => AnyRouter<Inner>,
    ]
  ): Router<C, Names | Inner, Prefix> {
    checkPrefix(prefix);
    const routes = chain.at(-1) as (group: unknown) => unknown;
    const around = this.#scope.middleware ?? [];
    const own = chain.slice(0, -1) as AnyMiddleware[];
    checkMiddleware(` in the group ${prefix}`, [...this.#table.global, ...around], own);
    const scope = { prefix: `${this.#scope.prefix}${prefix}`, middleware: [...around, ...own] };
    routes(new Router(this.#table.options, this.#table, scope));
    return this as AnyRouter;
  }

  /** Appends a route. Throws a PatternError for an invalid pattern. */
  register<M extends Method, P extends string, const Ms extends readonly ChainFunction[], H>(
    method: M,
    pattern: CheckedPattern<P>,
    middleware: readonly [...Ms],
    handler: RouteHandler<M, C & { readonly params: ParamsOf<`${Prefix}${P}`> }, Ms, H>,
  ): Router<C, Names | `${M} ${Prefix}${P}`, Prefix> {
    const { prefix, middleware: around } = this.#scope;
    const outer = around ?? [];
    const whole = `${prefix}${pattern}`;
    checkHandler(method, whole, handler);
    checkMiddleware(` in ${method} ${whole}`, [...this.#table.global, ...outer], middleware);
    const own = [...outer, ...(middleware as readonly unknown[] as AnyMiddleware[])];
    checkFormOfGet(method, whole, own);
    this.#table.patterns.push(parsePattern(`${this.#table.base}${whole}`));
    // The stack is formatted on demand: with thousands of routes it would take most of the time.
    const trace = new Error();
    this.#table.routes.push({
      name: `${method} ${whole}`,
      method,
      pattern: whole,
      middleware: own,
      handler: handler as Route['handler'],
      acceptsCrossOrigin: checkCrossOrigin(method, whole, own),
      get registeredAt() {
        return findCaller(trace);
      },
    });
    this.#table.compiled = null;
    return this as AnyRouter;
  }

  /** Appends a GET route (it answers HEAD too): middleware in order, then the handler. */
  get<P extends string, const Ms extends readonly ChainFunction[], H>(
    pattern: CheckedPattern<P>,
    ...chain: [
      ...middleware: Ms,
      handler: RouteHandler<'GET', C & { readonly params: ParamsOf<`${Prefix}${P}`> }, Ms, H>,
    ]
  ): Router<C, Names | `GET ${Prefix}${P}`, Prefix> {
    return this.#append('GET', pattern, chain);
  }

  /** Appends a POST route: middleware in order, then the handler. */
  post<P extends string, const Ms extends readonly ChainFunction[], H>(
    pattern: CheckedPattern<P>,
    ...chain: [
      ...middleware: Ms,
      handler: RouteHandler<'POST', C & { readonly params: ParamsOf<`${Prefix}${P}`> }, Ms, H>,
    ]
  ): Router<C, Names | `POST ${Prefix}${P}`, Prefix> {
    return this.#append('POST', pattern, chain);
  }

  #append(method: Method, pattern: string, chain: readonly unknown[]): AnyRouter {
    const middleware = chain.slice(0, -1) as AnyMiddleware[];
    return (this as AnyRouter).register(
      method,
      pattern,
      middleware,
      chain.at(-1) as AnyFormHandler,
    );
  }

  /**
   * Compiles the table and the chains, which the first request would do otherwise. Throws if no request
   * can reach a route; the error names the routes that match its paths.
   */
  prepare(): this {
    this.#table.compiled ??= this.#compile();
    return this;
  }

  /**
   * Answers a request. Throws or rejects if an error leaves the chain, or if the first request finds a route that none
   * can reach.
   */
  handle(request: Request): Awaitable<Response> {
    this.#table.compiled ??= this.#compile();
    const { tables, chains, malformed, serverWide, unmatched } = this.#table.compiled;
    if (request.malformed !== null) return malformed(toContext(request, null, NO_PARAMS));
    const { method } = request;
    const match = tables.get(method === 'HEAD' ? 'GET' : method)?.find(request.path);
    const chain = match && chains[match.index];
    if (!match || !chain) {
      return (request.path === '*' ? serverWide : unmatched)(toContext(request, null, NO_PARAMS));
    }
    return chain(toContext(request, this.#table.routes[match.index] ?? null, match.params));
  }

  /** The first route that matches, with the parameters of the path; null for none. */
  find(
    method: Method,
    path: string,
  ): { readonly route: Route<Names>; readonly params: PathParams } | null {
    this.#table.compiled ??= this.#compile();
    const match = this.#table.compiled.tables.get(method)?.find(path);
    if (!match) return null;
    return { route: this.routes[match.index] as Route<Names>, params: match.params };
  }

  #compile(): Compiled {
    const { routes, global, options } = this.#table;
    const { shadowedRoutes = 'error' } = options;
    const tables = createMatchTables(this);
    reportHidden(this, shadowedRoutes, (message) => process.emitWarning(message), tables);
    return {
      tables,
      chains: routes.map((route) =>
        compose([...global, ...route.middleware], route.handler, route),
      ),
      unmatched: compose(global, options.notFound ?? answerNotFound, null),
      malformed: compose(global, refuseMalformed, null),
      serverWide: compose(global, () => empty(), null),
    };
  }
}

function toContext(
  request: Request,
  route: Route | null,
  params: PathParams,
): Context & { params: PathParams } {
  return { request, route, params };
}

function answerNotFound({ request }: Context): Response<404> {
  return notFound(languageOf(request));
}

function refuseMalformed({ request }: Context): never {
  throw new HttpError(400, ({ words }) => words.addressFlaws[request.malformed ?? 'unescaped']);
}
