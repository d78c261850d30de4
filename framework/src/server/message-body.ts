/**
 * The body of a message of node:http, taken in as it arrives. Node makes an object of some hundred bytes
 * of each chunk, and a client may send chunks of one byte: so chunks are merged as they come, a body
 * with too many of them ends the connection, and all bodies together have a limit.
 *
 * A browser that is still sending when the connection is closed shows "connection reset" instead of the
 * page; so the rest of a body that nobody has read is taken in and thrown away, within bounds.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HttpError } from '../http/http-error.ts';
import type { ResponseHeaders } from '../http/response.ts';

/** Bytes and milliseconds that an unread body may still take up. */
const MOST_DISCARDED = 64 * 1_048_576;
const LONGEST_DISCARD = 5_000;
/** Below this many bytes Node's own reading to the end does, and the connection can be kept. */
const SMALL = 65_536;
/** Chunks are merged until they have so many bytes, or are so many. */
const PIECE = 4_096;
const MOST_SEPARATE = 64;
/** Chunks that a body may have, and bytes for which it may have one more. */
const MOST_CHUNKS = 1_000;
const BYTES_FOR_A_CHUNK = 256;
/** A body of so many bytes is taken in although all together are over their limit. */
const ALWAYS_TAKEN = 16_384;
/** Seconds. */
const RETRY_AFTER = { 'Retry-After': '5' };
const CUT_SHORT = 'The connection ended before the form had arrived whole.';

/** The bytes of all bodies that have arrived and whose answers have not left. */
export interface BodyMemory {
  readonly limit: number;
  held: number;
  /** Closes a connection whose client does what only an attack does. */
  readonly drop: (socket: Socket) => void;
}

export interface MessageBody {
  readonly chunks: AsyncIterable<Uint8Array> | null;
  /** Whether so much is left unread that the connection must end with this answer. */
  readonly hasLeftover: () => boolean;
  /** Takes in what is left and throws it away; resolves when it is done or has become too much. */
  readonly discard: () => Promise<void>;
  /** Frees what is held: nobody reads it any more. */
  readonly letGo: () => void;
}

/** What almost every request has. */
const NO_BODY: MessageBody = {
  chunks: null,
  hasLeftover: () => false,
  discard: () => Promise.resolve(),
  letGo: () => {},
};

/** `expectsContinue`: the client waits for a 100 before it sends; it gets one when the body is read. */
export function readMessageBody(
  message: IncomingMessage,
  out: ServerResponse,
  expectsContinue: boolean,
  memory: BodyMemory,
): MessageBody {
  const length = Number(message.headers['content-length'] ?? 0);
  if (length === 0 && message.headers['transfer-encoding'] === undefined) {
    return NO_BODY;
  }
  const body = new ArrivingBody(message, memory);
  const letGo = () => body.letGo();
  out.once('close', letGo);
  let awaited = expectsContinue;
  return {
    chunks: {
      [Symbol.asyncIterator]() {
        if (awaited) out.writeContinue();
        awaited = false;
        return body.read();
      },
    },
    hasLeftover: () => awaited || (!message.complete && (length === 0 || length > SMALL)),
    discard: () => (awaited ? Promise.resolve() : body.discard()),
    letGo,
  };
}

class ArrivingBody {
  readonly #message: IncomingMessage;
  readonly #memory: BodyMemory;
  /** What was not read yet: merged, and the chunks that have come since. */
  #pieces: Uint8Array[] = [];
  #tail: Uint8Array[] = [];
  #tailSize = 0;
  #chunks = 0;
  #size = 0;
  /** How much of the memory it has taken. */
  #held = 0;
  #isKept = true;
  #isWhole = false;
  #failure: HttpError | null = null;
  /** Wakes who waits for more, or for the end. */
  #wake: () => void = () => {};

  constructor(message: IncomingMessage, memory: BodyMemory) {
    this.#message = message;
    this.#memory = memory;
    message
      .on('data', (chunk: Uint8Array) => this.#take(chunk))
      .on('end', () => this.#end())
      .on('error', () => {})
      .on('close', () => this.#fail(400, CUT_SHORT));
  }

  #take(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    if (++this.#chunks > MOST_CHUNKS + this.#size / BYTES_FOR_A_CHUNK) {
      this.#memory.drop(this.#message.socket);
    } else if (!this.#isKept) {
      if (this.#size > MOST_DISCARDED) this.#wake();
    } else if (this.#isTooMuch(chunk.byteLength)) {
      this.#fail(503, 'Too much is being sent to this site right now.', RETRY_AFTER);
      this.letGo();
    } else {
      this.#held += chunk.byteLength;
      this.#memory.held += chunk.byteLength;
      this.#tailSize += chunk.byteLength;
      if (this.#tail.push(chunk) === MOST_SEPARATE || this.#tailSize >= PIECE) this.#merge();
    }
  }

  #isTooMuch(more: number): boolean {
    return this.#memory.held + more > this.#memory.limit && this.#size > ALWAYS_TAKEN;
  }

  #merge(): void {
    const [first] = this.#tail;
    if (first !== undefined)
      this.#pieces.push(this.#tail.length === 1 ? first : Buffer.concat(this.#tail));
    this.#tail = [];
    this.#tailSize = 0;
    this.#wake();
  }

  #end(): void {
    this.#isWhole = true;
    this.#merge();
  }

  #fail(status: 400 | 503, message: string, headers: ResponseHeaders = {}): void {
    if (!this.#isWhole) this.#failure ??= new HttpError(status, message, { headers });
    this.#wake();
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) yield piece;
      else if (this.#failure !== null) throw this.#failure;
      else if (this.#isWhole) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  /** Keeps nothing from now on. What was not read never looks like a whole body. */
  letGo(): void {
    if (this.#pieces.length > 0) this.#failure ??= new HttpError(400, CUT_SHORT);
    this.#isKept = false;
    this.#memory.held -= this.#held;
    this.#held = 0;
    this.#pieces = [];
    this.#tail = [];
  }

  async discard(): Promise<void> {
    this.letGo();
    if (this.#isWhole || this.#message.destroyed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, LONGEST_DISCARD);
    await promise;
    clearTimeout(timer);
  }
}
