/**
 * What the compiler says about a middleware or a handler that does not fit at its place in a chain. The
 * sentences are in docs/guides/mistakes.md, and a test holds both together.
 */
import type { Context } from '../chain/context.ts';
import type { Advice } from '../http/advice.ts';

/** What a context of the framework's own middleware is called, and the remedy where it is missing. */
interface Remedies {
  readonly session: 'the session: put loadSession before it';
  readonly flash: Remedies['session'];
  readonly flashAction: Remedies['session'];
  readonly form: 'a form: put readForm before it';
  readonly validation: Remedies['form'];
  readonly status: Remedies['form'];
  readonly once: 'once: put onlyOnce before it';
  readonly repeated: Remedies['once'];
  readonly stores: 'the stores of a site: make the router with createSite';
}

/** What the context `C` lacks of `N`, with the remedy. */
export type Lacking<C, N> = {
  [K in keyof N & string]-?: C extends Pick<N, K> & Context ? never : Missing<C, K>;
}[keyof N & string];

/** What is wrong with a middleware after which no context is left: it adds `A` to `C`. */
export type Contradiction<C, A> = C extends NoSession
  ? OnlyWithSession
  : A extends NoSession
    ? OnlyWithSession
    : 'Two middlewares of this chain add the same field, with types that exclude each other';

interface NoSession {
  readonly session: null;
}

type OnlyWithSession =
  'A post from elsewhere has no session: take requireSession out of this chain, or what lets the post in';

type Missing<C, K extends string> = K extends 'params'
  ? 'a parameter that is not in the pattern: add it to the pattern'
  : K extends keyof C
    ? null extends C[K]
      ? [C[K]] extends [null]
        ? 'a user who is logged in: a post from elsewhere has none'
        : 'a user who is logged in: put requireSession before it'
      : `another type of context.${K} than the middleware before it adds`
    : K extends keyof Remedies
      ? Remedies[K]
      : `context.${K}: put a middleware that adds it before it`;

/** What is wrong with `F`, which is no middleware. */
export type MiddlewareAdvice<F> = F extends (...options: never) => (...given: never) => unknown
  ? 'Call the function that makes the middleware, as in loadSession({ store }) or readForm(form)'
  : 'A middleware is a function of (context, next) that returns what next(…) returns, or a response of its own';

/** A GET with a form, which `readForm` would look for in the body. Nothing is known of `any`. */
export type FormOfGet<M, Reached> = [M] extends ['GET']
  ? unknown extends Reached
    ? never
    : Reached extends { readonly validation: unknown }
      ? 'A GET has no body with a form: put readForm into the chain of a POST, and read request.query here'
      : never
  : never;

/** What is wrong with the handler `H` where the context is `Reached`. */
export type HandlerAdvice<M, Reached, H> = H extends () => Advice<string>
  ? HandlerLast // `requireSession`, which can be called only by mistake.
  : H extends (context: infer N) => unknown
    ? Reached extends N
      ? 'POST' extends M
        ? 'Answer a form with seeOther(…), or with a page whose status is 400 or above: a refresh of any other page would send the form again'
        : 'Return a response, such as page(…), text(…) or seeOther(…)'
      : `This handler needs ${Lacking<Reached, N>}`
    : HandlerLast;

type HandlerLast = 'Put a handler last: a function of the context, without next';
