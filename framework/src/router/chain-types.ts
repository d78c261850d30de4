/**
 * The types of a chain: the context after a list of middleware, and what a middleware or a handler
 * must be at its place. What does not fit becomes an `Advice` from chain-advice.ts.
 */
import type { AnyMiddleware, Context, Handler, Middleware } from '../chain/context.ts';
import type { Advice } from '../http/advice.ts';
import type { ErrorStatus } from '../http/http-error.ts';
import type { PlainText, Response } from '../http/response.ts';
import type { HandlerAdvice, Lacking } from './chain-advice.ts';

/** The context after a chain in which a middleware needs `N` and gets `C`. */
export interface Unmet<C, N> {
  readonly unmet: (context: C) => N;
}

/** The context `C` after the middleware `Ms`. */
export type After<C, Ms> = Ms extends readonly [infer M, ...infer Rest]
  ? M extends Middleware<infer N, infer A>
    ? C extends Context & N
      ? After<C & A, Rest>
      : Unmet<C, N>
    : never
  : C;

/**
 * The responses to a form: a redirect, an error, no content, or plain text for a program. A page
 * with the status 200 is not among them, because refreshing it would send the form again.
 */
export type FormAnswer = Response<303 | 204 | ErrorStatus> | PlainText;

/** The middleware `F` of the global chain, where the context is `C`. */
export type GlobalMiddleware<C, N, A, F> = C extends N
  ? IsUncalled<F> extends true
    ? Advice<'Call this function with its options: it makes the middleware'>
    : F & Middleware<N, A>
  : Advice<`This middleware needs ${Lacking<C, N>}`>;

/** Whether `F` is a function that makes a middleware, such as `loadSession` without its options. */
type IsUncalled<F> = [F] extends [AnyMiddleware] ? false : [F] extends [Maker] ? true : false;
type Maker = (...options: never) => (...given: never) => unknown;

/**
 * The handler `H` of a route with the method `M`. If the compiler knows only that `M` is GET or POST,
 * the stricter rule for POST applies. `H` is unknown while the compiler looks for the parameter types of
 * a function that is written in the chain.
 */
export type RouteHandler<M, C, Ms, H> =
  After<C, Ms> extends infer Reached
    ? Reached extends Unmet<infer Has, infer N>
      ? Advice<`A middleware of this route needs ${Lacking<Has, N>}`>
      : unknown extends H
        ? Handler<Reached, AnswerTo<M>>
        : [H] extends [Handler<Reached, AnswerTo<M>>]
          ? H & Handler<Reached, AnswerTo<M>>
          : Advice<HandlerAdvice<M, Reached, H>>
    : never;

type AnswerTo<M> = 'POST' extends M ? FormAnswer : Response;
