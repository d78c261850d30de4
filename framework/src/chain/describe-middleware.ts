/**
 * What a middleware needs and adds, at run time, where types do not exist. The compiler compares the description
 * with the type: a wrong or missing name does not compile. It is a property of the function, so a middleware that
 * wraps another one keeps the description if it takes over the properties: `Object.assign(outer, inner)`.
 */

import type { Response } from '../http/response.ts';
import type { Middleware } from './context.ts';

export interface MiddlewareDescription {
  /** Names of fields of the context. */
  readonly needs: readonly string[];
  readonly adds: readonly string[];
  /** The form that it reads: see `formOf`. */
  readonly form?: object;
  /** Whether its route answers in JSON: see answers-json.ts. */
  readonly json?: 'asked' | 'always';
  /** Whether a form is carried out once behind it. */
  readonly countsOnce?: boolean;
  /** Whether its route takes posts from elsewhere, and so has no session. */
  readonly acceptsCrossOrigin?: boolean;
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

const DESCRIPTION = Symbol('description');

/** Returns the middleware itself. */
export function describeMiddleware<
  N,
  A,
  Answer extends Response,
  const Needs extends readonly (keyof N)[],
  const Adds extends readonly (keyof A)[],
>(
  middleware: Middleware<N, A, Answer>,
  description: Omit<MiddlewareDescription, 'needs' | 'adds'> & {
    readonly needs: Needs & Complete<keyof N, Needs>;
    readonly adds: Adds & Complete<keyof A, Adds>;
  },
): Middleware<N, A, Answer> {
  return Object.assign(middleware, { [DESCRIPTION]: description });
}

/** Null for middleware that was not described. */
export function descriptionOf(middleware: object): MiddlewareDescription | null {
  return (middleware as { readonly [DESCRIPTION]?: MiddlewareDescription })[DESCRIPTION] ?? null;
}
