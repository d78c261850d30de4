/**
 * Cuts off a body that arrives too slowly. Only the time that is spent on waiting for the client counts, so a slow
 * file store does not. It is counted in whole seconds, by one timer for the whole body.
 */
import { HttpError } from '../http/http-error.ts';

export interface TimeLimits {
  /** Seconds for the whole body. */
  readonly time: number;
  /** Bytes in a second, on average. */
  readonly rate: number;
}

/** Seconds before the average counts. */
const GRACE = 30;

/** The same chunks. Rejects with a 408, or as soon as `signal` aborts, with its reason. */
export async function* inTime(
  chunks: AsyncIterable<Uint8Array>,
  { time, rate }: TimeLimits,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let waited = 0;
  let received = 0;
  /** Null while nobody waits for the client. */
  let cut: ((error: unknown) => void) | null = null;
  signal.addEventListener('abort', () => cut?.(signal.reason));
  const timer = setInterval(() => {
    if (cut === null) return;
    waited++;
    if (waited <= Math.min(time, GRACE + received / rate)) return;
    cut(new HttpError(408, ({ words }) => words.tooSlow));
  }, 1_000);
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        cut = reject;
        iterator.next().then(resolve, reject);
      });
      cut = null;
      if (done === true) return;
      received += value.byteLength;
      yield value;
    }
  } finally {
    clearInterval(timer);
  }
}
