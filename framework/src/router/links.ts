/**
 * Links from patterns: `href` for routes served with GET, `action` for routes that a form can be sent
 * to. An unknown pattern and missing or extra parameters do not compile.
 */
import type { Advice } from '../http/advice.ts';
import { checkOptions, FUNCTION, type OptionKinds, TEXT } from '../http/check-options.ts';
import type { Href } from '../http/href.ts';
import { decodeParameter, readTarget } from '../http/target.ts';
import { checkBase } from './base-path.ts';
import type { JoinedNames, ParamsOf } from './path-params.ts';
import {
  matchPattern,
  type PathParams,
  type Pattern,
  parsePattern,
  type Segment,
} from './pattern.ts';
import type { Method, Route } from './route.ts';

/** An object with routes; usually `typeof router`. */
export interface Routed {
  readonly routes: readonly Route[];
}

/** The names of the routes, such as `'GET /items'`. */
export type RouteNames<R extends Routed> = R['routes'][number]['name'];

type PatternsOf<R extends Routed | string, M extends Method> = (
  R extends Routed
    ? RouteNames<R>
    : R
) extends infer Name
  ? Name extends `${M} ${infer P}`
    ? P
    : never
  : never;

/** The query; undefined values are left out. */
export type LinkQuery = Readonly<Record<string, string | number | undefined>>;

/** The pattern `P` of a link that has the arguments `A` after it; otherwise what to do. */
type LinkPattern<Known extends string, M extends Method, P extends string, A> = P extends Known
  ? // biome-ignore lint/complexity/noBannedTypes: tests whether there are no parameters.
    A extends ({} extends ParamsOf<P> ? unknown : readonly [unknown, ...unknown[]])
    ? P
    : Advice<`Pass the parameters { ${JoinedNames<P>} } after this pattern`>
  :
      | Known
      | Advice<`No ${M} route has the pattern ${P}: register one, or use a pattern of the router`>;

/** Makes a path from the pattern of a route, its parameters, and a query. */
type Link<Known extends string, M extends Method> = <
  P extends string,
  A extends readonly [params?: unknown, query?: unknown],
>(
  pattern: LinkPattern<Known, M, P, A>,
  ...rest: { [I in keyof A]: I extends '0' ? ParamsOf<P> : LinkQuery }
) => Href;

export interface Links<R extends Routed | string> {
  readonly href: Link<PatternsOf<R, 'GET'>, 'GET'>;
  readonly action: Link<PatternsOf<R, 'POST'>, 'POST'>;
}

type BuildPath = (params: PathParams) => string;

export interface LinkOptions {
  /** The base of the router; none by default. */
  readonly base?: string;
  /**
   * For JavaScript: a link to a pattern that this router does not serve throws. A function, because pages
   * are usually loaded before the router.
   */
  readonly router?: () => Routed;
}

const LINK_KINDS = { base: TEXT, router: FUNCTION } satisfies OptionKinds<LinkOptions>;

/** The links of a router, from its type or the names of its routes. The router need not exist yet. */
export function createLinks<R extends Routed | string>(options: LinkOptions = {}): Links<R> {
  checkOptions('createLinks', options, LINK_KINDS);
  const base = checkBase(options.base ?? '');
  const linkTo = (method: Method) => {
    const builders = new Map<string, BuildPath>();
    return (source: string, params: PathParams = {}, query?: LinkQuery) => {
      let build = builders.get(source);
      if (build === undefined) {
        if (options.router !== undefined) checkServed(options.router(), method, source);
        build = createBuilder(parsePattern(source));
        builders.set(source, build);
      }
      return `${base}${build(params)}${query === undefined ? '' : toSearch(query)}` as Href;
    };
  };
  return { href: linkTo('GET'), action: linkTo('POST') } as unknown as Links<R>;
}

function checkServed({ routes }: Routed, method: Method, source: string): void {
  if (routes.some((route) => route.method === method && route.pattern === source)) return;
  throw new TypeError(
    `Cannot link to ${source}: no ${method} route has this pattern. Register one, or use a pattern of the router.`,
  );
}

/** A pattern without parameters has one path. Every page has several such links. */
function createBuilder(pattern: Pattern): BuildPath {
  if (pattern.names.length > 0) return (params) => buildPath(pattern, params);
  const path = buildPath(pattern, {});
  return () => path;
}

const DOTS = /(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * A slash in a value is escaped, so it stays inside its segment; only a wildcard has several. Throws a
 * TypeError for values that the pattern would not match, and for `.` and `..`, which a browser would resolve.
 */
function buildPath(pattern: Pattern, values: PathParams): string {
  const refuse = (why: string): never => {
    throw new TypeError(`Cannot link to ${pattern.source} with ${JSON.stringify(values)}: ${why}.`);
  };
  const missing = pattern.names.find((name) => values[name] === undefined);
  if (missing !== undefined) refuse(`"${missing}" is missing`);
  const broken = pattern.names.find((name) => !String(values[name]).isWellFormed());
  if (broken !== undefined)
    refuse(`"${broken}" has half of a character (a lone surrogate), which no address can have`);
  const path = pattern.segments.map((segment) => `/${encodeSegment(segment, values)}`).join('');
  if (pattern.segments.every((segment) => isPlain(segment, values))) return path;
  if (path.startsWith('//') || DOTS.test(path))
    refuse(`a browser would resolve ${JSON.stringify(path)} to another path`);
  const params = matchPattern(pattern, readTarget(path, undefined).path);
  if (pattern.names.some((name) => params?.[name] !== values[name]))
    refuse(`${JSON.stringify(path)} does not match the pattern with these values`);
  return path;
}

/** Whether a path with it always matches: the patterns of most links have text and whole numbers. */
function isPlain(segment: Segment, values: PathParams): boolean {
  if (segment.kind !== 'int') return segment.kind === 'literal';
  const value = values[segment.name];
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function encodeSegment(segment: Segment, values: PathParams): string {
  if (segment.kind === 'literal') return encodeURIComponent(decodeParameter(segment.text));
  const value = String(values[segment.name]);
  if (segment.kind !== 'rest') return encodeURIComponent(value);
  return value.split('/').map(encodeURIComponent).join('/');
}

function toSearch(query: LinkQuery): string {
  let search = '';
  // Without a list of the entries: most links of a page have a query of which nothing is given.
  for (const name in query) {
    const value = query[name];
    if (value === undefined || !Object.hasOwn(query, name)) continue;
    search += `${search === '' ? '?' : '&'}${encodeQuery(name)}=${encodeQuery(String(value))}`;
  }
  return search;
}

const UNRESERVED = /^[\w*.-]*$/;

/** As URLSearchParams writes it. Most texts are as they are, and a page has many. */
function encodeQuery(text: string): string {
  return UNRESERVED.test(text) ? text : String(new URLSearchParams([['', text]])).slice(1);
}
