/**
 * Messages between a worker and the primary. The worker reports that it listens, or why it cannot; the
 * primary sends stop. A worker that cannot start waits to be stopped, so that its reason arrives.
 */

export type WorkerMessage =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'cannot start'; readonly reason: string };

export const STOP = 'stop';

export function tellPrimary(message: WorkerMessage): void {
  process.send?.(message);
}

/** Calls `stop` when the primary sends stop. */
export function leaveToPrimary(stop: () => void): void {
  process.on('message', (message) => {
    if (message === STOP) stop();
  });
}
