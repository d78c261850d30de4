/**
 * Shows each middleware's own time in the header Server-Timing, so that the browser's network panel
 * draws the chain. For development: it tells a stranger how the service is built, and measures
 * every chain of the process. What stands outside it in the chain is not shown.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Middleware } from '../chain/context.ts';
import { CHAIN_EXIT, type ElementExit } from '../chain/trace.ts';
import { andThen } from '../http/awaitable.ts';
import type { Request } from '../http/request.ts';
import { withHeader } from '../http/response.ts';

export function serverTiming(): Middleware {
  const traces = new WeakMap<Request, ElementExit[]>();
  subscribe(CHAIN_EXIT, (message) => {
    const trace = message as ElementExit;
    traces.get(trace.request)?.push(trace);
  });
  return function serverTiming(context, next) {
    const elements: ElementExit[] = [];
    traces.set(context.request, elements);
    return andThen(next(context), (response) =>
      elements.length === 0 ? response : withHeader(response, 'Server-Timing', toHeader(elements)),
    );
  };
}

/** In the order of the chain. Two elements of the same name are told apart by their place. */
function toHeader(elements: readonly ElementExit[]): string {
  return elements
    .toSorted((one, other) => one.index - other.index)
    .map(({ name, index, ownTime }) => `${index}-${toToken(name)};dur=${ownTime.toFixed(3)}`)
    .join(', ');
}

/** RFC 9110 section 5.6.2. */
function toToken(name: string): string {
  return name === '' ? 'nameless' : name.replaceAll(/[^!#$%&'*+\-.^_`|~0-9A-Za-z]/g, '_');
}
