/**
 * Publishes the entry, exit and own time of each element on node:diagnostics_channel. Without
 * subscribers, the chain runs without this code.
 *
 * The own time of an element is the time between its entry and its exit, without the time inside
 * `next`. The element's own promise is returned, not a copy.
 */

import { channel } from 'node:diagnostics_channel';
import { performance } from 'node:perf_hooks';
import type { Request } from '../http/request.ts';
import { Slot } from '../http/slot.ts';
import type { Context, Next, RouteName } from './context.ts';

// biome-ignore lint/suspicious/noExplicitAny: elements are checked against each other where they are registered; here they are a list.
export type ChainElement = (context: any, next: Next<any>) => unknown;

/** Names of the channels. The first publishes `ElementEntry`, the second `ElementExit`. */
export const CHAIN_ENTER = 'seeother:chain:enter';
export const CHAIN_EXIT = 'seeother:chain:exit';

/** The W3C trace id, while `observe` traces the request: 32 hexadecimal digits. */
export const traceIdSlot: Slot<string | null> = new Slot(null);

export interface ElementEntry {
  readonly request: Request;
  readonly route: RouteName | null;
  /** The name of the function; empty when it has none. */
  readonly name: string;
  /** Its position in the chain, from 0. */
  readonly index: number;
}

export interface ElementExit extends ElementEntry {
  /** In milliseconds, with the time inside `next`. */
  readonly time: number;
  /** In milliseconds, without the time inside `next`. */
  readonly ownTime: number;
  /** Whether it threw or rejected, by itself or because the rest of the chain did. */
  readonly hasFailed: boolean;
}

const enter = channel(CHAIN_ENTER);
const exit = channel(CHAIN_EXIT);

export function isTraced(): boolean {
  return enter.hasSubscribers || exit.hasSubscribers;
}

/** The element with the same name, which publishes its entry and exit. */
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
      (hasFailed) => {
        const time = performance.now() - start;
        const ownTime = Math.max(0, time - inside);
        if (exit.hasSubscribers)
          exit.publish({ ...entry, time, ownTime, hasFailed } satisfies ElementExit);
      },
    );
  };
  return Object.defineProperty(traced, 'name', { value: one.name });
}

/** Calls `done` when `run` returns, or when the promise that it returns settles. */
function observe<T>(run: () => T, done: (hasFailed: boolean) => void): T {
  let answer: T;
  try {
    answer = run();
  } catch (error) {
    done(true);
    throw error;
  }
  if (answer instanceof Promise)
    answer.then(
      () => done(false),
      () => done(true),
    );
  else done(false);
  return answer;
}
