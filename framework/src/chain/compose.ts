/**
 * The recursive chain. Each element is called with the context and with `next`, which runs the
 * rest; the last element is the handler. The chain is composed once, from the back. It creates no
 * promise while every element is synchronous.
 *
 * An element that breaks the contract causes an error that names it and the route (misuse.ts). To
 * detect this, each call of an element gets its own `next`, which records whether it was called and
 * whether the rest is still running.
 */

import { type Awaitable, isThenable } from '../http/awaitable.ts';
import type { AnyMiddleware, Context, Handler, Next, Passed, RouteName } from './context.ts';
import {
  checkRefresh,
  checkResponse,
  droppedNext,
  type ElementName,
  nextOfHandler,
  secondNext,
  toError,
} from './misuse.ts';
import { type ChainElement, isTraced, withTrace } from './trace.ts';

/** What an element knows of the rest of its chain. */
interface Rest {
  /** The promise of the rest while it runs; null when it is synchronous or settled. */
  pending: Promise<Passed> | null;
  /** The response of the rest, which is checked already. */
  passed: Passed | null;
  /** That of the element before, if this element has returned `pending` itself: then both wait for one promise. */
  shared: Rest | null;
}

/** Runs an element and what follows it. `before` is that of the element that calls `next`. */
type Enter = (context: Context, before: Rest | null) => Awaitable<Passed>;

/** Composes middleware around a handler; the first of the list is the outermost. */
export function compose(
  middleware: readonly AnyMiddleware[],
  // biome-ignore lint/suspicious/noExplicitAny: the context of the handler was checked where it was registered.
  handler: Handler<any>,
  route: RouteName | null,
): Handler<Context> {
  const elements = [...middleware, handler] as readonly ChainElement[];
  const plain = composeElements(elements, route);
  let traced: Enter | null = null;
  return function runChain(context) {
    if (!isTraced()) return plain(context, null);
    traced ??= composeElements(elements.map(withTrace), route);
    return traced(context, null);
  };
}

function composeElements(elements: readonly ChainElement[], route: RouteName | null): Enter {
  return elements.reduceRight<Enter>(
    (rest, one) => wrap(one, rest, route),
    noRest({ name: elements.at(-1)?.name ?? '', route }),
  );
}

function wrap(one: ChainElement, enterRest: Enter, route: RouteName | null): Enter {
  const element = { name: one.name, route };
  return function enter(context, before) {
    let called = false;
    const rest: Rest = { pending: null, passed: null, shared: null };
    const next: Next<Context> = (extended) => {
      if (called) throw secondNext(element);
      called = true;
      const answer = enterRest(extended, rest);
      if (answer instanceof Promise) rest.pending = answer;
      else rest.passed = answer;
      return answer;
    };

    let answer: unknown;
    try {
      answer = one(context, next);
    } catch (thrown) {
      throw toError(thrown, element, context);
    }
    if (answer !== null && answer === rest.pending) {
      rest.shared = before;
      return rest.pending;
    }
    if (!isThenable(answer)) return accept(answer, rest, element, context);
    return Promise.resolve(answer).then(
      (value) => {
        try {
          return settle(before, accept(value, rest, element, context));
        } catch (error) {
          throw fail(before, error);
        }
      },
      (thrown) => {
        throw fail(before, toError(thrown, element, context));
      },
    );
  };
}

/** Notes in the elements before that the rest is done. To wait for its promise would cost each of them another one. */
function settle<P extends Passed | null>(before: Rest | null, passed: P): P {
  for (let one = before; one !== null; one = one.shared) {
    one.pending = null;
    one.passed = passed;
  }
  return passed;
}

/** Nothing awaits the rest of an element that has answered without it: its rejection must not end the process. */
function fail(before: Rest | null, error: unknown): unknown {
  before?.pending?.catch(() => {});
  settle(before, null);
  return error;
}

function accept(
  answer: unknown,
  { pending, passed }: Rest,
  element: ElementName,
  context: Context,
): Passed {
  if (pending !== null) throw droppedNext(element);
  if (answer !== passed || answer === null) {
    checkResponse(answer, element);
    checkRefresh(answer, passed, context, element);
  }
  return answer as Passed;
}

/** The `next` of the last element, which is none. */
function noRest(last: ElementName): Enter {
  return () => {
    throw nextOfHandler(last);
  };
}
