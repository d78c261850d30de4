/**
 * The context is the value that each middleware passes to the next one. It starts with the request
 * and the route; a middleware adds to it by passing on an extended copy:
 * `next({ ...context, session })`.
 */
import type { Awaitable } from '../http/awaitable.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';

/** The matched route, as data. */
export interface RouteName {
  readonly method: 'GET' | 'POST';
  readonly pattern: string;
  /** The route's own middleware. Absent for chains composed by hand. */
  readonly middleware?: readonly object[];
  /** Whether it takes posts from elsewhere, which have no session: see `acceptCrossOrigin`. */
  readonly acceptsCrossOrigin?: boolean;
}

/**
 * What every middleware and handler gets. Middleware adds fields to it with `next({ ...context, field })`.
 */
export interface Context {
  readonly request: Request;
  /** The route that handles the request; null when none matches. */
  readonly route: RouteName | null;
}

declare const passed: unique symbol;
declare const kind: unique symbol;

/**
 * A response of the rest of the chain. Only `next` returns this type, so a middleware whose return
 * type is `Passed` must call `next`.
 */
export type Passed = Response & { readonly [passed]: true };

/** The rest of the chain. */
export type Next<C> = (context: C) => Awaitable<Passed>;

/** The last element of a chain. It returns the response. */
export type Handler<C, Answer extends Response = Response> = (context: C) => Awaitable<Answer>;

// The compiler prints the arguments of these two types. So its message has the sentence where a
// middleware calls `next` with another context, or returns nothing.
type Extended<C, Adds, _Sentence> = C & Adds & Context;
interface MiddlewareAnswer<_Sentence> extends Response {}

type ReturnIt = 'Return what next(…) returns, or a response of its own';
type PassOn = 'Pass on the whole context and what the middleware adds: next({ ...context, … })';

/**
 * Wraps the rest of the chain. `Needs` are the fields that earlier middleware must have added to
 * the context; `Adds` are the fields that this one adds. The function is generic in the context, so
 * a call of `next` that omits the addition, or drops another field, does not compile. `Answer`
 * narrows the responses that it may return. `Sentence` is what the compiler says about a wrong call of
 * `next`.
 */
export type Middleware<
  Needs = unknown,
  Adds = unknown,
  Answer extends Response = MiddlewareAnswer<ReturnIt>,
  Sentence = PassOn,
> = (<C extends Context & Needs>(
  context: C,
  next: Next<Extended<C, Adds, Sentence>>,
) => Awaitable<Answer>) & {
  // Every function has a name. Declaring it makes the type an intersection, and TypeScript infers
  // the types of a call inside a chain, such as readForm(itemForm), only through an intersection.
  readonly name: string;
  // Never set. TypeScript infers `Needs` and `Adds` from it where an alias of this type, such as
  // FormAction, is used.
  readonly [kind]?: (needs: Needs) => Adds;
};

// biome-ignore lint/suspicious/noExplicitAny: a list of middleware holds any needs and additions; each is inferred back from its element.
export type AnyMiddleware = Middleware<any, any>;
