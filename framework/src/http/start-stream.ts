/**
 * Reads the first chunk of a stream before the answer is made, so that a source that cannot be read is an error page
 * and not a connection that closes. It also starts a generator, which otherwise would not run its `finally` when the
 * stream is closed.
 */

import type { Language } from '../language/language.ts';
import { HttpError } from './http-error.ts';

/**
 * The same stream, begun. With `length`, it rejects where there are fewer or more bytes: the client would take the next
 * answer for the rest.
 */
export async function startStream(
  content: AsyncIterable<Uint8Array>,
  length: number | null = null,
): Promise<AsyncIterableIterator<Uint8Array>> {
  const chunks = content[Symbol.asyncIterator]();
  let left = length;
  const next = async () => {
    const step = await chunks.next();
    if (left === null) return step;
    left -= step.done === true ? 0 : step.value.byteLength;
    if (left >= 0 && (step.done !== true || left === 0)) return step;
    await chunks.return?.();
    throw cannotRead(new Error('The stored file has another size than it had.'));
  };
  let first: IteratorResult<Uint8Array> | null = await next();
  const body: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => body,
    async next() {
      if (first === null) return next();
      const step = first;
      first = null;
      return step;
    },
    async return() {
      await chunks.return?.();
      return { done: true, value: undefined };
    },
  };
  return body;
}

/** The error for a file whose content cannot be read now. */
export function cannotRead(cause: unknown): HttpError {
  return unavailable(({ words }) => words.fileNotRead, cause);
}

/** A 503, with the cause for the log. */
export function unavailable(text: (language: Language) => string, cause: unknown): HttpError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new HttpError(503, text, { headers: { 'Retry-After': '60' }, cause, reason });
}
