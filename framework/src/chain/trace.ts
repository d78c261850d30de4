/**
 * Traces: each element's entry, exit and own time on node:diagnostics_channel. While nobody listens,
 * the chain runs without any of this.
 *
 * An element's own time is what passes between its entry and its exit, less what passes inside `next`.
 * What the element answers is observed and handed on as it is, the same promise.
 */
import { channel } from 'node:diagnostics_channel';
import { performance } from 'node:perf_hooks';
import type { Request } from '../http/request.ts';
import type { Context, Next, RouteName } from './context.ts';

// biome-ignore lint/suspicious/noExplicitAny: elements are checked against each other where they are registered; here they are a list.
export type ChainElement = (context: any, next: Next<any>) => unknown;

/** The names of the channels; `ElementEntry` is published on the first, `ElementExit` on the second. */
export const CHAIN_ENTER = 'seeother:chain:enter';
export const CHAIN_EXIT = 'seeother:chain:exit';

export interface ElementEntry {
  readonly request: Request;
  readonly route: RouteName | null;
  /** The name of the middleware's function, or of the handler's; empty when it has none. */
  readonly name: string;
  /** Its place in the chain, from 0. */
  readonly index: number;
}

export interface ElementExit extends ElementEntry {
  /** Milliseconds, those inside `next` not counted. */
  readonly ownTime: number;
}

const enter = channel(CHAIN_ENTER);
const exit = channel(CHAIN_EXIT);

export function isTraced(): boolean {
  return enter.hasSubscribers || exit.hasSubscribers;
}

/** The element, publishing when it is entered and left; it has the same name. */
export function withTrace(one: ChainElement, index: number): ChainElement {
  const traced: ChainElement = (context: Context, next) => {
    const { request, route } = context;
    const entry: ElementEntry = { request, route, name: one.name, index };
    let inside = 0;
    const timedNext: Next<Context> = (extended) => {
      const start = performance.now();
      return observe(
        () => next(extended),
        () => {
          inside += performance.now() - start;
        },
      );
    };
    if (enter.hasSubscribers) enter.publish(entry);
    const start = performance.now();
    return observe(
      () => one(context, timedNext),
      () => {
        const ownTime = Math.max(0, performance.now() - start - inside);
        if (exit.hasSubscribers) exit.publish({ ...entry, ownTime } satisfies ElementExit);
      },
    );
  };
  return Object.defineProperty(traced, 'name', { value: one.name });
}

/** Tells when what `run` returns is there: at once, or when the promise is settled. */
function observe<T>(run: () => T, done: () => void): T {
  let answer: T;
  try {
    answer = run();
  } catch (error) {
    done();
    throw error;
  }
  if (answer instanceof Promise) answer.then(done, done);
  else done();
  return answer;
}
