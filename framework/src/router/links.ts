/**
 * Links from patterns: `href` for routes served with GET, `action` for routes that a form can be sent
 * to. An unknown pattern and missing or extra parameters do not compile.
 */
import type { Href } from '../http/href.ts';
import { checkBase } from './base-path.ts';
import { buildPath, type LinkValues } from './build-path.ts';
import type { ParamsOf } from './path-params.ts';
import { type Pattern, parsePattern } from './pattern/pattern.ts';
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

type LinkParams<P extends string> = {
  readonly [N in keyof ParamsOf<P> as undefined extends ParamsOf<P>[N] ? never : N]:
    | string
    | number;
} & {
  readonly [N in keyof ParamsOf<P> as undefined extends ParamsOf<P>[N] ? N : never]?:
    | string
    | number
    | undefined;
};

/** The query; undefined values are left out. */
export type LinkQuery = Readonly<Record<string, string | number | undefined>>;

type LinkArguments<P extends string> =
  // biome-ignore lint/complexity/noBannedTypes: tests whether all parameters are optional.
  {} extends LinkParams<P>
    ? [params?: LinkParams<P>, query?: LinkQuery]
    : [params: LinkParams<P>, query?: LinkQuery];

export interface Links<R extends Routed | string> {
  readonly href: <P extends PatternsOf<R, 'GET'>>(pattern: P, ...rest: LinkArguments<P>) => Href;
  readonly action: <P extends PatternsOf<R, 'POST'>>(pattern: P, ...rest: LinkArguments<P>) => Href;
}

type BuildPath = (params: LinkValues) => string;

const builders = new Map<string, BuildPath>();

export interface LinkOptions {
  /** The base of the router; none by default. */
  readonly base?: string;
}

/** The links of a router, from its type or the names of its routes. The router need not exist yet. */
export function createLinks<R extends Routed | string>(options: LinkOptions = {}): Links<R> {
  const base = checkBase(options.base ?? '');
  const link = (source: string, params: LinkValues = {}, query?: LinkQuery) => {
    let build = builders.get(source);
    if (build === undefined) {
      build = createBuilder(parsePattern(source));
      builders.set(source, build);
    }
    return `${base}${build(params)}${query === undefined ? '' : toSearch(query)}` as Href;
  };
  return { href: link, action: link } as Links<R>;
}

/** A pattern without parameters has one path. Every page has several such links. */
function createBuilder(pattern: Pattern): BuildPath {
  if (pattern.names.length > 0) return (params) => buildPath(pattern, params);
  const path = buildPath(pattern, {});
  return () => path;
}

function toSearch(query: LinkQuery): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) pairs.append(name, String(value));
  }
  return pairs.size === 0 ? '' : `?${pairs}`;
}
