/**
 * How far one request has come through its chain: what finds a second `next` and an answer that
 * leaves before the rest is done. The router puts one on each context it creates, under a symbol
 * that `{ ...context, session }` copies; a context without one is served without these two checks.
 *
 * Links are entered from the outside in and answer from the inside out, each once: two counters
 * hold that for a chain of any length. A rest that was left behind must not move them.
 */
import type { Response } from './response.ts';

export const RUN: unique symbol = Symbol('run');

export interface Run {
  /** How many links have been entered. */
  entered: number;
  /** How many are entered and have not answered: the next one to answer is the last of them. */
  open: number;
  /** The last response that was looked at; handing it on unchanged is not looked at again. */
  checked: Response | null;
  /** The promise that was made last; handing it on makes no other. */
  pending: Pending | null;
}

export interface Pending {
  promise: Promise<Response> | null;
  /** The outermost link that has handed it on: all behind it have answered when it is settled. */
  index: number;
}

/** Every context may carry one. */
export interface Running {
  readonly [RUN]?: Run;
}

export function createRun(): Run {
  return { entered: 0, open: 0, checked: null, pending: null };
}
