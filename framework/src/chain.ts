/**
 * The recursive chain: each link is called with the context and with `next`, which runs the link
 * after it; the last is the handler. A chain is composed once, from the back, so that a request
 * walks it without a closure or, as long as every link answers at once, a promise being made.
 *
 * A link that breaks the contract ends in an error that names it and the route: see
 * chain-misuse.ts. The hard case is a link that drops the promise of the rest: the rest goes on
 * after the link has answered, and must neither disturb the check nor stop the process.
 */
import type { Awaitable } from './awaitable.ts';
import { checkResponse, droppedNext, type LinkName, secondNext, toError } from './chain-misuse.ts';
import { type Pending, RUN, type Run, type Running } from './chain-run.ts';
import { isTraced, type Link, withTrace } from './chain-trace.ts';
import type { AnyMiddleware, Context, Handler, Next, RouteName } from './context.ts';
import type { Response } from './response.ts';

/** Composes middleware around a handler; the first of the list is the outermost. */
export function compose(
  middleware: readonly AnyMiddleware[],
  // biome-ignore lint/suspicious/noExplicitAny: the handler's own context was checked where it was registered.
  handler: Handler<any>,
  route: RouteName | null,
): Handler<Context> {
  const links = [...middleware, handler] as readonly Link[];
  const plain = composeLinks(links, route);
  let traced: Handler<Context> | null = null;
  return function runChain(context) {
    if (!isTraced()) return plain(context);
    traced ??= composeLinks(links.map(withTrace), route);
    return traced(context);
  };
}

function composeLinks(links: readonly Link[], route: RouteName | null): Handler<Context> {
  return links.reduceRight<Next<Context>>((next, one, index) => {
    const before = { name: links[index - 1]?.name ?? '', route };
    return link(one, next, { index, name: one.name, route, before });
  }, unreachable);
}

interface Place extends LinkName {
  readonly index: number;
  /** Who calls it. */
  readonly before: LinkName;
}

function link(one: Link, next: Next<Context>, place: Place): Next<Context> {
  const { index, before } = place;
  const enter = (context: Context & Running): Awaitable<Response> => {
    const run = context[RUN];
    if (run !== undefined) {
      if (run.entered > index) throw secondNext(before);
      run.entered = index + 1;
      // Not when the link before was left behind: then nobody waits for this one either.
      if (run.open === index) run.open = index + 1;
    }
    let answer: unknown;
    try {
      answer = one(context, next);
    } catch (thrown) {
      leave(run, index);
      throw toError(thrown, place);
    }
    // Handed on as it came: nothing to look at, and nothing to make.
    if (run !== undefined) {
      if (answer === run.checked && answer !== null && run.open === index + 1) {
        run.open = index;
        return run.checked as Response;
      }
      const { pending } = run;
      if (pending !== null && answer === pending.promise) {
        pending.index = index;
        return pending.promise as Promise<Response>;
      }
    }
    if (isThenable(answer)) return settle(answer, run, place);
    return accept(answer, run, place, index);
  };
  // It is the answer of the rest now: nothing but the chain can say so.
  return enter as Next<Context>;
}

/** `index` is that of the outermost link which answers with this. */
function accept(answer: unknown, run: Run | undefined, place: Place, index: number): Response {
  if (run === undefined) {
    checkResponse(answer, place);
    return answer;
  }
  const dropped = run.open > place.index + 1;
  leave(run, index);
  if (dropped) throw droppedNext(place);
  if (answer === run.checked && answer !== null) return run.checked as Response;
  checkResponse(answer, place);
  run.checked = answer;
  return answer;
}

/** What is still open behind a link that has answered or thrown was left behind. */
function leave(run: Run | undefined, index: number): void {
  if (run !== undefined && run.open > index) run.open = index;
}

function settle(
  answer: PromiseLike<unknown>,
  run: Run | undefined,
  place: Place,
): Promise<Response> {
  const pending: Pending = { promise: null, index: place.index };
  const promise = Promise.resolve(answer).then(
    (value) => {
      try {
        return accept(value, run, place, pending.index);
      } catch (error) {
        throw fail(error, pending, run);
      }
    },
    (reason) => {
      throw fail(toError(reason, place), pending, run);
    },
  );
  pending.promise = promise;
  if (run !== undefined) run.pending = pending;
  return promise;
}

/** Nobody waits for a rest that was dropped: its failure must not stop the process as well. */
function fail<E>(error: E, { promise, index }: Pending, run: Run | undefined): E {
  leave(run, index);
  if (index > 0) promise?.catch(ignore);
  return error;
}

function ignore(): void {}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value instanceof Promise ||
    (typeof value === 'object' &&
      value !== null &&
      'then' in value &&
      typeof value.then === 'function')
  );
}

function unreachable(): never {
  throw new TypeError('A handler was given next and called it: a handler is the end of the chain.');
}
