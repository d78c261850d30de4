/**
 * What the compiler knows of a chain: the context after a list of middleware, and the first need
 * that no earlier middleware meets.
 */
import type { Context, Handler, Middleware } from '../chain/context.ts';
import type { ErrorStatus } from '../http/http-error.ts';
import type { PlainText, Response } from '../http/response.ts';

/** Stands in the place of a chain that cannot work; the message is in the name of its property. */
export interface Unmet<Needs> {
  readonly 'no earlier middleware adds': Needs;
}

/** The context after the middleware `Ms` has run on `C`. */
export type After<C, Ms> = Ms extends readonly [infer M, ...infer Rest]
  ? M extends Middleware<infer N, infer A>
    ? C extends Context & N
      ? After<C & A, Rest>
      : Unmet<N>
    : never
  : C;

/**
 * What may answer a form: a redirect, an error, nothing, or text for a program. A page with the
 * status 200 would send the form again when it is refreshed.
 */
export type FormAnswer = Response<303 | 204 | ErrorStatus> | PlainText;

/**
 * The handler that may stand at the end of the chain of a route with the method `M`. Asked from the
 * side of POST: a method that is only known to be one of the two may be POST.
 */
export type RouteHandler<M, C, Ms> =
  After<C, Ms> extends infer Reached
    ? Reached extends Unmet<infer N>
      ? Unmet<N>
      : Handler<Reached, 'POST' extends M ? FormAnswer : Response>
    : never;
