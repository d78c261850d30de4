/**
 * What a middleware needs and adds, said at run time. Types are gone by then; so `explain` knows it
 * only of middleware that has been described here. The compiler compares what is said with the
 * type: a key that is wrong, or one that is missing, does not compile.
 */

import type { Response } from '../http/response.ts';
import type { Middleware } from './context.ts';

/** Names of what is on the context. */
export interface MiddlewareDescription {
  readonly needs: readonly string[];
  readonly adds: readonly string[];
}

/** Stands in the place of a list that does not name everything; what is missing is in its type. */
export interface NotNamed<Keys> {
  readonly 'the list does not name': Keys;
}

/** The list, when it names all of the keys. */
type Complete<Keys, Named extends readonly unknown[]> = [Exclude<Keys, Named[number]>] extends [
  never,
]
  ? Named
  : NotNamed<Exclude<Keys, Named[number]>>;

const descriptions = new WeakMap<object, MiddlewareDescription>();

/** Returns the middleware itself. `requireSession` needs `['session']` and adds `['session']`. */
export function describeMiddleware<
  N,
  A,
  Answer extends Response,
  const Needs extends readonly (keyof N)[],
  const Adds extends readonly (keyof A)[],
>(
  middleware: Middleware<N, A, Answer>,
  said: { readonly needs: Complete<keyof N, Needs>; readonly adds: Complete<keyof A, Adds> } & {
    readonly needs: Needs;
    readonly adds: Adds;
  },
): Middleware<N, A, Answer> {
  const { needs, adds } = said as { needs: readonly PropertyKey[]; adds: readonly PropertyKey[] };
  descriptions.set(middleware, { needs: needs.map(String), adds: adds.map(String) });
  return middleware;
}

/** Null when nothing was said of it. */
export function descriptionOf(middleware: object): MiddlewareDescription | null {
  return descriptions.get(middleware) ?? null;
}
