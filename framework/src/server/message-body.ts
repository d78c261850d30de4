/**
 * The body of a message of node:http: read on demand, and what nobody has read is dealt with so
 * that the client gets its answer. A browser that is still sending when the connection is closed
 * shows "connection reset" instead of the page; so the rest is read and thrown away, within bounds.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpError } from '../http-error.ts';

/** Bytes and milliseconds that an unread body may still take up. */
const MOST_DISCARDED = 64 * 1_048_576;
const LONGEST_DISCARD = 5_000;
/** Below this many bytes Node's own reading to the end does, and the connection can be kept. */
const SMALL = 65_536;

export interface MessageBody {
  readonly chunks: AsyncIterable<Uint8Array> | null;
  /** Whether so much is left unread that the connection must end with this answer. */
  readonly hasLeftover: () => boolean;
  /** Reads what is left and throws it away; resolves when it is done or has become too much. */
  readonly discard: () => Promise<void>;
}

/** What almost every request has. */
const NO_BODY: MessageBody = {
  chunks: null,
  hasLeftover: () => false,
  discard: () => Promise.resolve(),
};

/** `expectsContinue`: the client waits for a 100 before it sends; it gets one when the body is read. */
export function readMessageBody(
  message: IncomingMessage,
  out: ServerResponse,
  expectsContinue: boolean,
): MessageBody {
  const length = Number(message.headers['content-length'] ?? 0);
  if (length === 0 && message.headers['transfer-encoding'] === undefined) {
    return NO_BODY;
  }
  let awaited = expectsContinue;
  return {
    chunks: {
      async *[Symbol.asyncIterator]() {
        if (awaited) out.writeContinue();
        awaited = false;
        try {
          yield* message.iterator({ destroyOnReturn: false });
        } catch (cause) {
          throw new HttpError(400, 'The connection ended before the form had arrived whole.', {
            cause,
          });
        }
      },
    },
    hasLeftover: () => awaited || (!message.complete && (length === 0 || length > SMALL)),
    discard: () => (awaited ? Promise.resolve() : discard(message)),
  };
}

function discard(message: IncomingMessage): Promise<void> {
  if (message.complete || message.destroyed) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, LONGEST_DISCARD);
  let size = 0;
  message.on('data', (chunk: Uint8Array) => {
    size += chunk.byteLength;
    if (size > MOST_DISCARDED) resolve();
  });
  message
    .on('end', resolve)
    .on('close', resolve)
    .on('error', () => resolve());
  return promise.finally(() => clearTimeout(timer));
}
