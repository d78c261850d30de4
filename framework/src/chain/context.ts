/**
 * The context: what travels down the chain. It starts with the request and the route; each
 * middleware hands on a copy with what it has found out, `next({ ...context, session })`.
 */
import type { Awaitable } from '../http/awaitable.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';

/** The route that a request has matched, as data. */
export interface RouteName {
  readonly method: 'GET' | 'POST';
  readonly pattern: string;
  /** The route's own middleware; only a chain that is composed by hand does not say. */
  readonly middleware?: readonly object[];
}

export interface Context {
  readonly request: Request;
  /** The route that will answer; null when none matches. */
  readonly route: RouteName | null;
}

declare const passed: unique symbol;
declare const kind: unique symbol;

/** What the rest of the chain has answered. Only `next` gives it, so that a type can demand it. */
export type Passed = Response & { readonly [passed]: true };

/** The rest of the chain. */
export type Next<C> = (context: C) => Awaitable<Passed>;

/** The last element of a chain: it answers. */
export type Handler<C, Answer extends Response = Response> = (context: C) => Awaitable<Answer>;

/**
 * Wraps the rest of the chain. `Needs` is what earlier middleware must have put on the context,
 * `Adds` what this one puts there. It is generic in the context, so that calling `next` without
 * the addition, or with a field dropped, does not compile. `Answer` narrows what it may return.
 */
export type Middleware<Needs = unknown, Adds = unknown, Answer extends Response = Response> = (<
  C extends Context & Needs,
>(
  context: C,
  next: Next<C & Adds>,
) => Awaitable<Answer>) & {
  // A function has a name already. Naming it here makes the type an intersection, and only so does
  // TypeScript infer through a call like readForm(itemForm) that stands inside a chain.
  readonly name: string;
  // Never there. It says what is needed and added where a type under another name, such as
  // FormAction, stands for a middleware.
  readonly [kind]?: (needs: Needs) => Adds;
};

// biome-ignore lint/suspicious/noExplicitAny: a list of middleware holds any needs and additions; each is inferred back from its element.
export type AnyMiddleware = Middleware<any, any>;
