/**
 * The recursive chain: each link is called with the context and with `next`, which runs the link
 * after it; the last is the handler. A chain is composed once, from the back, so that a request
 * walks it without a closure being made.
 *
 * A link that breaks the contract (returns nothing, throws something that is not an Error) ends in
 * an error that names the link and the route.
 */
import type { AnyMiddleware, Context, Handler, Next, RouteName } from './context.ts';
import type { Response } from './response.ts';

// biome-ignore lint/suspicious/noExplicitAny: links are checked against each other where they are registered; here they are a list.
type Link = (context: any, next: Next<any>) => unknown;

/** Composes middleware around a handler; the first of the list is the outermost. */
export function compose(
  middleware: readonly AnyMiddleware[],
  // biome-ignore lint/suspicious/noExplicitAny: the handler's own context was checked where it was registered.
  handler: Handler<any>,
  route: RouteName | null,
): Handler<Context> {
  let next: Next<Context> = link(handler, unreachable, route);
  for (const one of middleware.toReversed()) next = link(one as Link, next, route);
  return next;
}

function link(one: Link, next: Next<Context>, route: RouteName | null): Next<Context> {
  return (context) => {
    let answer: unknown;
    try {
      answer = one(context, next);
    } catch (thrown) {
      throw toError(thrown, one, route);
    }
    if (isResponse(answer)) return answer;
    if (isThenable(answer)) return settle(answer, one, route);
    throw noResponse(answer, one, route);
  };
}

function settle(
  answer: PromiseLike<unknown>,
  one: Link,
  route: RouteName | null,
): Promise<Response> {
  return Promise.resolve(answer).then(
    (value) => {
      if (isResponse(value)) return value;
      throw noResponse(value, one, route);
    },
    (reason) => {
      throw toError(reason, one, route);
    },
  );
}

function isResponse(value: unknown): value is Response {
  return (
    typeof value === 'object' &&
    value !== null &&
    'status' in value &&
    typeof value.status === 'number'
  );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

function noResponse(value: unknown, one: Link, route: RouteName | null): TypeError {
  return new TypeError(
    `${describe(one, route)} returned ${show(value)} instead of a response. Return what next(context) returns, or a response of its own.`,
  );
}

function toError(thrown: unknown, one: Link, route: RouteName | null): Error {
  if (thrown instanceof Error) return thrown;
  return new TypeError(
    `${describe(one, route)} threw ${show(thrown)}, which is not an Error. Throw an Error, so that there is a stack to look at.`,
    { cause: thrown },
  );
}

function describe(one: Link, route: RouteName | null): string {
  const name = one.name === '' ? 'A middleware without a name' : `"${one.name}"`;
  return `${name} in the chain of ${route === null ? 'no route' : `${route.method} ${route.pattern}`}`;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' && value !== null
    ? 'an object that has no status'
    : String(value);
}

function unreachable(): never {
  throw new TypeError('A handler was given next and called it: a handler is the end of the chain.');
}
