/**
 * Links from patterns: `href` for what the router serves with GET, `action` for what a form can be
 * sent to. A pattern that no route has, a parameter that is missing or too many do not compile.
 */
import type { Href } from '../http/href.ts';
import { buildPath, type LinkValues } from './build-path.ts';
import type { ParamsOf } from './path-params.ts';
import { type Pattern, parsePattern } from './pattern/pattern.ts';
import type { Method, Route } from './route.ts';

/** Anything with routes; usually `typeof router`. */
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

/** The query; what is undefined is left out. */
export type LinkQuery = Readonly<Record<string, string | number | undefined>>;

type LinkArguments<P extends string> =
  // biome-ignore lint/complexity/noBannedTypes: asks whether no parameter is needed.
  {} extends LinkParams<P>
    ? [params?: LinkParams<P>, query?: LinkQuery]
    : [params: LinkParams<P>, query?: LinkQuery];

export interface Links<R extends Routed | string> {
  readonly href: <P extends PatternsOf<R, 'GET'>>(pattern: P, ...rest: LinkArguments<P>) => Href;
  readonly action: <P extends PatternsOf<R, 'POST'>>(pattern: P, ...rest: LinkArguments<P>) => Href;
}

const patterns = new Map<string, Pattern>();

/** The links of a router, by its type or by the names of its routes: it need not be there yet. */
export function createLinks<R extends Routed | string>(): Links<R> {
  const link = (source: string, params: LinkValues = {}, query: LinkQuery = {}) => {
    let pattern = patterns.get(source);
    if (pattern === undefined) {
      pattern = parsePattern(source);
      patterns.set(source, pattern);
    }
    return `${buildPath(pattern, params)}${toSearch(query)}` as Href;
  };
  return { href: link, action: link } as Links<R>;
}

function toSearch(query: LinkQuery): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) pairs.append(name, String(value));
  }
  return pairs.size === 0 ? '' : `?${pairs}`;
}
