/**
 * Messages between a worker and the primary. The worker reports that it listens, or why it cannot; the
 * primary sends stop, and asks for metrics. A worker that cannot start waits to be stopped, so that its reason
 * arrives.
 */
import type { Metrics } from '../metrics/collect-metrics.ts';

export type WorkerMessage =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'cannot start'; readonly reason: string }
  | { readonly kind: 'metrics'; readonly metrics: Metrics };

export const STOP = 'stop';
export const READ_METRICS = 'read metrics';

export function tellPrimary(message: WorkerMessage): void {
  process.send?.(message);
}

/** Calls `stop` when the primary sends stop. */
export function leaveToPrimary(stop: () => void): void {
  process.on('message', (message) => {
    if (message === STOP) stop();
  });
}

/** Answers the primary, which adds the metrics of all workers up. */
export function giveMetrics(read: () => Promise<Metrics>): void {
  process.on('message', async (message) => {
    if (message === READ_METRICS) tellPrimary({ kind: 'metrics', metrics: await read() });
  });
}
