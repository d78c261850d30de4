/**
 * A browser draws this header in its network panel. Tracing is a switch of the process: it slows down every
 * chain, also those of other routers. Middleware that was registered before this one is not measured.
 */

import { subscribe } from 'node:diagnostics_channel';
import type { Middleware } from '../chain/context.ts';
import { CHAIN_EXIT, type ElementExit } from '../chain/trace.ts';
import { andThen } from '../http/awaitable.ts';
import { withHeader } from '../http/response.ts';
import { Slot } from '../http/slot.ts';

/** The time that a middleware or handler took. */
type ElementTiming = Pick<ElementExit, 'name' | 'index' | 'ownTime'>;

/** Not null while `serverTiming` measures the request. */
const timingsSlot = new Slot<ElementTiming[] | null>(null);

/**
 * Sends the own time of each middleware after it in the header `Server-Timing`. Only for development: it
 * shows how the service is built, and it traces every chain of the process.
 */
export function serverTiming(): Middleware {
  subscribe(CHAIN_EXIT, (message) => {
    const { request, name, index, ownTime } = message as ElementExit;
    timingsSlot.of(request)?.push({ name, index, ownTime });
  });
  return function serverTiming(context, next) {
    const timings: ElementTiming[] = [];
    timingsSlot.set(context.request, timings);
    return andThen(next(context), (response) =>
      timings.length === 0 ? response : withHeader(response, 'Server-Timing', toHeader(timings)),
    );
  };
}

/** In the order of the chain. The position distinguishes elements of the same name. */
function toHeader(timings: readonly ElementTiming[]): string {
  return timings
    .toSorted((one, other) => one.index - other.index)
    .map(({ name, index, ownTime }) => `${index}-${toToken(name)};dur=${ownTime.toFixed(3)}`)
    .join(', ');
}

/** RFC 9110 section 5.6.2. */
function toToken(name: string): string {
  return name === '' ? 'nameless' : name.replaceAll(/[^!#$%&'*+\-.^_`|~0-9A-Za-z]/g, '_');
}
