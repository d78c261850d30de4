/** A line of JSON for standard error: everything but the request log and the first line goes there. */
import cluster from 'node:cluster';

export interface ErrorEntry {
  readonly message: string;
  readonly error?: unknown;
  /** The process that it is about. */
  readonly worker?: number | undefined;
}

/** With the time, the stack of the error, and which process it was when there are several. */
export function toErrorLine({ error, ...entry }: ErrorEntry): string {
  const stack =
    error instanceof Error ? { stack: error.stack, cause: error.cause && String(error.cause) } : {};
  const origin = cluster.isWorker ? { worker: process.pid } : {};
  return JSON.stringify({ time: new Date().toISOString(), ...origin, ...entry, ...stack });
}
