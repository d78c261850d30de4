/**
 * Tells when the stream of a response has ended: it was read, it failed, its reader has left, or it has taken too
 * long. A generator with `finally` cannot tell this, because one that was never started never runs it.
 */

/** `release` is called once. After `timeout` milliseconds, the stream ends with an error, and its source is closed. */
export function holdStream(
  body: AsyncIterable<Uint8Array>,
  release: () => void,
  timeout: number,
): AsyncIterableIterator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  let isLate = false;
  const close = async () => void (await chunks.return?.());
  const timer = setTimeout(() => {
    isLate = true;
    release();
    // A read that runs now reports its own error.
    close().catch(() => {});
  }, timeout).unref?.();
  const end = () => {
    clearTimeout(timer);
    release();
  };

  const held: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => held,
    async next() {
      try {
        const chunk = await chunks.next();
        if (isLate)
          throw new Error(`Cannot finish a response: its client took longer than ${timeout} ms.`);
        if (chunk.done) end();
        return chunk;
      } catch (error) {
        end();
        throw error;
      }
    },
    async return() {
      end();
      await close();
      return { done: true, value: undefined };
    },
  };
  return held;
}
