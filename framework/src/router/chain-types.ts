/**
 * The types of a chain: the context after a list of middleware, or the first unmet need: fields
 * that a middleware needs and that no earlier middleware adds.
 */
import type { Context, Handler, Middleware } from '../chain/context.ts';
import type { ErrorStatus } from '../http/http-error.ts';
import type { PlainText, Response } from '../http/response.ts';

/** Replaces the type of an invalid chain. The compiler prints the name of its property. */
export interface Unmet<Needs> {
  readonly 'no earlier middleware adds': Needs;
}

/** The context `C` after the middleware `Ms`. */
export type After<C, Ms> = Ms extends readonly [infer M, ...infer Rest]
  ? M extends Middleware<infer N, infer A>
    ? C extends Context & N
      ? After<C & A, Rest>
      : Unmet<N>
    : never
  : C;

/**
 * The responses to a form: a redirect, an error, no content, or plain text for a program. A page
 * with the status 200 is not among them, because refreshing it would send the form again.
 */
export type FormAnswer = Response<303 | 204 | ErrorStatus> | PlainText;

/**
 * The type of the handler of a route with the method `M`. If the compiler knows only that `M` is
 * GET or POST, the stricter rule for POST applies.
 */
export type RouteHandler<M, C, Ms> =
  After<C, Ms> extends infer Reached
    ? Reached extends Unmet<infer N>
      ? Unmet<N>
      : Handler<Reached, 'POST' extends M ? FormAnswer : Response>
    : never;
