/**
 * The types of a chain: the context after a list of middleware, and what a middleware or a handler
 * must be at its place. What does not fit becomes an `Advice` from chain-advice.ts.
 */
import type { AnyMiddleware, Context, Handler, Middleware } from '../chain/context.ts';
import type { Advice } from '../http/advice.ts';
import type { ErrorStatus } from '../http/http-error.ts';
import type { JsonAnswer } from '../http/json.ts';
import type { PlainText, Response } from '../http/response.ts';
import type {
  Contradiction,
  FormOfGet,
  HandlerAdvice,
  Lacking,
  MiddlewareAdvice,
} from './chain-advice.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is no middleware is refused with a sentence.
export type ChainFunction = (...given: any) => unknown;

/** What a chain leads to: the context, and a sentence where an element does not fit. */
export interface End<C, Sentence extends string = never> {
  readonly context: C;
  readonly sentence: Sentence;
}

/**
 * The end of the middleware `Ms`, where the context is `C` before them. After an element that does not
 * fit, the context is what it needs: so the compiler has nothing to say about the handler.
 */
export type After<C, Ms> = Ms extends readonly [infer M, ...infer Rest]
  ? M extends Middleware<infer N, infer A>
    ? C extends Context & N
      ? [C & A] extends [never]
        ? // biome-ignore lint/suspicious/noExplicitAny: no context can be both.
          End<any, Contradiction<C, A>>
        : After<C & A, Rest>
      : End<C & N, `A middleware of this chain needs ${Lacking<C, N>}`>
    : // biome-ignore lint/suspicious/noExplicitAny: nothing is known of what it adds.
      End<any, MiddlewareAdvice<M>>
  : End<C>;

/**
 * The responses to a form: a redirect, an error, no content, or plain text or JSON for a program. A page
 * with the status 200 is not among them, because refreshing it would send the form again.
 */
export type FormAnswer = Response<303 | 204 | ErrorStatus> | PlainText | JsonAnswer;

// biome-ignore lint/suspicious/noExplicitAny: the context was checked before, in a signature that knows it.
export type AnyFormHandler = Handler<any, FormAnswer>;

/** The middleware `F` of the global chain, where the context is `C`. */
export type GlobalMiddleware<C, N, A, F> = C extends N
  ? F extends AnyMiddleware
    ? F & Middleware<N, A>
    : unknown extends F
      ? Middleware<N, A>
      : Advice<MiddlewareAdvice<F>>
  : Advice<`This middleware needs ${Lacking<C, N>}`>;

/**
 * The handler `H` of a route with the method `M`. If the compiler knows only that `M` is GET or POST,
 * the stricter rule for POST applies. `H` is unknown while the compiler looks for the parameter types of
 * a function that is written in the chain.
 */
export type RouteHandler<M, C, Ms, H> =
  After<C, Ms> extends End<infer Reached, infer Sentence>
    ? unknown extends H
      ? Handler<Reached, AnswerTo<M>>
      : [Sentence | FormOfGet<M, Reached>] extends [never]
        ? [H] extends [Handler<Reached, AnswerTo<M>>]
          ? H & Handler<Reached, AnswerTo<M>>
          : Advice<HandlerAdvice<M, Reached, H>>
        : Advice<Sentence | FormOfGet<M, Reached>>
    : never;

type AnswerTo<M> = 'POST' extends M ? FormAnswer : Response;
