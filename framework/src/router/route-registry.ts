/**
 * What is registered: the table that a router shares with its groups, and what is refused at registration.
 */
import type { AnyMiddleware, Context, Handler } from '../chain/context.ts';
import { checkOptions, FUNCTION, type OptionKinds, TEXT } from '../http/check-options.ts';
import type { Response } from '../http/response.ts';
import { checkBase } from './base-path.ts';
import type { ShadowedRoutes } from './hidden-routes.ts';
import type { MatchTable } from './match-table.ts';
import type { Pattern } from './pattern.ts';
import type { Route } from './route.ts';

export interface RouterOptions {
  /** What to do about a route that no request can reach; 'error' by default. */
  readonly shadowedRoutes?: ShadowedRoutes;
  /**
   * The path under which a proxy passes requests on, such as `/inventory`; none by default. Patterns do not
   * contain it; give it to `createLinks` and `loadFiles` too.
   */
  readonly base?: string;
  /** Answers a request that no route matches, after the global chain; plain text by default. */
  readonly notFound?: Handler<Context, Response<404>>;
}

const SHADOWED: readonly unknown[] = ['error', 'warning', 'ignore'];

export const ROUTER_KINDS: OptionKinds<RouterOptions> = {
  shadowedRoutes: {
    noun: "'error', 'warning' or 'ignore'",
    accepts: (value) => SHADOWED.includes(value),
  },
  base: TEXT,
  notFound: FUNCTION,
};

/** What a router and its groups share. */
export interface Table {
  readonly routes: Route[];
  readonly patterns: Pattern[];
  readonly global: AnyMiddleware[];
  readonly options: RouterOptions;
  readonly base: string;
  compiled: Compiled | null;
}

/** Where the routes of a group stand: behind the prefix and the middleware of the groups around them. */
export interface Scope {
  readonly prefix: string;
  /** Null for the router itself, whose middleware is the global chain. */
  readonly middleware: AnyMiddleware[] | null;
}

export interface Compiled {
  /** By method. The index of a match is that of its route. */
  readonly tables: ReadonlyMap<string, MatchTable>;
  readonly chains: readonly Handler<Context>[];
  readonly unmatched: Handler<Context>;
  readonly malformed: Handler<Context>;
  /** For `OPTIONS *`, which only asks whether the server answers (RFC 9110 section 9.3.7). */
  readonly serverWide: Handler<Context>;
}

/** The scope outside of all groups. */
export const NO_GROUP: Scope = { prefix: '', middleware: null };

export function createTable(options: RouterOptions): Table {
  checkOptions('createRouter', options, ROUTER_KINDS);
  const base = checkBase(options.base ?? '');
  return { routes: [], patterns: [], global: [], options, base, compiled: null };
}

/** Throws a TypeError for a prefix after which a pattern could not go on. */
export function checkPrefix(prefix: string): void {
  if (prefix === '' || /^\/.*[^/]$/.test(prefix)) return;
  throw new TypeError(
    `Cannot register a group at ${JSON.stringify(prefix)}: a prefix begins with "/" and does not end with it, as "/admin" does. A group without a prefix has an empty one.`,
  );
}

export function lateUse({ name }: AnyMiddleware, { name: route, registeredAt }: Route): Error {
  const late = name === '' ? 'a middleware without a name' : JSON.stringify(name);
  const place = registeredAt === null ? '' : `, at ${registeredAt}`;
  return new Error(
    `Cannot use ${late} after the route ${route} was registered${place}: global middleware runs for every route, and this one was checked without it. Call use before the first route, or pass the middleware to the routes that need it.`,
  );
}

/**
 * The nearest place of the stack outside of the framework, whose tests do not belong to it.
 * With source maps, a stack names the framework's sources, as paths; without, its compiled files, as URLs.
 */
export function findCaller(trace: Error): string | null {
  const lines = trace.stack?.split('\n').slice(1) ?? [];
  const caller = lines.find((line) => !isOwn(line.replaceAll('\\', '/')));
  return /\(?(?:file:\/\/)?([^()\s]+:\d+:\d+)\)?$/.exec(caller ?? '')?.[1] ?? null;
}

/** The folder of the framework, or of the package, as URL and as path. */
const FOLDER = import.meta.url.replace(/(?:dist\/)?src\/router\/[^/]*$/, '');
const PATH = decodeURI(FOLDER.replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, ''));

function isOwn(line: string): boolean {
  return (line.includes(FOLDER) || line.includes(PATH)) && !line.includes('.test.');
}
