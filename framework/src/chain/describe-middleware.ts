/**
 * Records at run time which fields of the context a middleware needs and adds. Types do not exist
 * at run time, so `explain` shows this only for described middleware. The compiler compares the
 * description with the type: a wrong or missing name does not compile.
 */

import type { Response } from '../http/response.ts';
import type { Middleware } from './context.ts';

/** Names of fields of the context. */
export interface MiddlewareDescription {
  readonly needs: readonly string[];
  readonly adds: readonly string[];
}

/** The compiler expects this type where a list is incomplete, and so prints the missing names. */
export interface NotNamed<Keys> {
  readonly 'the list does not name': Keys;
}

/** The list itself if it contains all keys. */
type Complete<Keys, Named extends readonly unknown[]> = [Exclude<Keys, Named[number]>] extends [
  never,
]
  ? Named
  : NotNamed<Exclude<Keys, Named[number]>>;

const descriptions = new WeakMap<object, MiddlewareDescription>();

/** Returns the middleware itself. */
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

/** Null for middleware that was not described. */
export function descriptionOf(middleware: object): MiddlewareDescription | null {
  return descriptions.get(middleware) ?? null;
}
