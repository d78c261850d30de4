/**
 * Receives the body of a node:http message. Node allocates some hundred bytes per chunk, and a client
 * may send chunks of one byte. So chunks are merged as they arrive, a body with too many chunks closes
 * the connection, and the memory for all bodies is limited.
 *
 * If a server closes the connection while a browser is still sending, the browser shows "connection
 * reset" instead of the page. So the rest of an unread body is received and discarded, within limits.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createPublisher } from '../events/events.ts';
import { HttpError } from '../http/http-error.ts';
import type { ResponseHeaders } from '../http/response.ts';
import type { Language } from '../language/language.ts';

/** Bytes and milliseconds spent on discarding an unread body. */
const MAX_DISCARDED = 64 * 1_048_576;
const MAX_DISCARD_TIME = 5_000;
/** Below this number of bytes, Node itself reads the rest, and the connection can be reused. */
const SMALL = 65_536;
/** Chunks are merged until they have this many bytes, or there are this many. */
const PIECE = 4_096;
const MAX_SEPARATE = 64;
/** A body may have so many chunks, and one more for each so many bytes. */
const MAX_CHUNKS = 1_000;
const BYTES_FOR_A_CHUNK = 256;
/** Bodies up to this size are accepted even if the memory for all bodies is used up. */
const ALWAYS_TAKEN = 16_384;
/** Bytes of a streamed body that may wait for its reader. With more, the client has to wait. */
const MAX_AHEAD = 262_144;
/** Seconds. */
const RETRY_AFTER = { 'Retry-After': '5' };
const CUT_SHORT = ({ words }: Language) => words.cutShort;

const received = createPublisher('body');

/** The bytes of all bodies whose answers have not been sent. */
export interface BodyMemory {
  readonly limit: number;
  held: number;
  /** Closes a connection whose client behaves as only an attacker does. */
  readonly drop: (socket: Socket) => void;
  /** A body that is not streamed must arrive in this time, or its client is refused; null for no limit. */
  readonly time: { readonly limit: number; readonly refuse: (socket: Socket) => void } | null;
}

export interface MessageBody {
  readonly chunks: BodyChunks | null;
  /** Whether so much is unread that the connection must be closed after this answer. */
  readonly hasLeftover: () => boolean;
  /** Receives and discards the rest; resolves when it is complete or exceeds the limits. */
  readonly discard: () => Promise<void>;
  /** Releases the memory; the body is not read any more. */
  readonly letGo: () => void;
}

/** See `streamBody`. */
interface BodyChunks extends AsyncIterable<Uint8Array> {
  readonly stream: () => AsyncIterable<Uint8Array>;
}

/** Shared by the many requests without a body. */
const NO_BODY: MessageBody = {
  chunks: null,
  hasLeftover: () => false,
  discard: () => Promise.resolve(),
  letGo: () => {},
};

/** `expectsContinue`: the client waits for a 100 before it sends; reading the body sends it. */
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
  const begin = () => {
    if (awaited) out.writeContinue();
    awaited = false;
  };
  return {
    chunks: {
      [Symbol.asyncIterator]() {
        begin();
        return body.read();
      },
      stream() {
        begin();
        return body.readReleasing();
      },
    },
    hasLeftover: () => awaited || (!message.complete && (length === 0 || length > SMALL)),
    discard: () => (awaited ? Promise.resolve() : body.discard()),
    letGo,
  };
}

/**
 * Why a body cannot be read. An error is made of it for a reader alone: it has a stack, and most bodies have no reader
 * then.
 */
interface Failure {
  readonly status: 400 | 503;
  readonly text: (language: Language) => string;
  readonly headers: ResponseHeaders;
}

const toError = ({ status, text, headers }: Failure) => new HttpError(status, text, { headers });

class ArrivingBody {
  readonly #message: IncomingMessage;
  readonly #memory: BodyMemory;
  /** The unread part: merged pieces, and the chunks received since. */
  #pieces: Uint8Array[] = [];
  #tail: Uint8Array[] = [];
  #tailSize = 0;
  #chunks = 0;
  #size = 0;
  /** The memory counted for this body. */
  #held = 0;
  #isKept = true;
  /** Whether the reader keeps nothing of what it has read. */
  #isReleasing = false;
  #isWhole = false;
  #failure: Failure | null = null;
  readonly #timer: NodeJS.Timeout | null;
  /** Wakes the reader that waits for more data or for the end. */
  #wake: () => void = () => {};

  constructor(message: IncomingMessage, memory: BodyMemory) {
    this.#message = message;
    this.#memory = memory;
    const { time } = memory;
    this.#timer =
      time === null ? null : setTimeout(() => time.refuse(message.socket), time.limit).unref();
    message
      .on('data', (chunk: Uint8Array) => this.#take(chunk))
      .on('end', () => this.#end())
      .on('error', () => {})
      .on('close', () => {
        this.#endTime();
        this.#fail(400, CUT_SHORT);
      });
  }

  #take(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    if (++this.#chunks > MAX_CHUNKS + this.#size / BYTES_FOR_A_CHUNK) {
      this.#memory.drop(this.#message.socket);
    } else if (!this.#isKept) {
      if (this.#size > MAX_DISCARDED) this.#wake();
    } else if (this.#isTooMuch(chunk.byteLength)) {
      this.#fail(503, ({ words }) => words.tooMuchSent, RETRY_AFTER);
      this.letGo();
    } else {
      this.#held += chunk.byteLength;
      this.#memory.held += chunk.byteLength;
      this.#tailSize += chunk.byteLength;
      if (this.#tail.push(chunk) === MAX_SEPARATE || this.#tailSize >= PIECE) this.#merge();
      if (this.#isReleasing && this.#held > MAX_AHEAD) this.#message.pause();
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

  #endTime(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #end(): void {
    this.#endTime();
    this.#isWhole = true;
    received.publish({ bytes: this.#size });
    this.#merge();
  }

  #fail(status: Failure['status'], text: Failure['text'], headers: Failure['headers'] = {}): void {
    if (!this.#isWhole) this.#failure ??= { status, text, headers };
    this.#wake();
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) yield piece;
      else if (this.#failure !== null) throw toError(this.#failure);
      else if (this.#isWhole) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  /**
   * Like `read`, for a reader that keeps nothing: releases each piece, and the client waits for the reader, whose own
   * limits apply to the time.
   */
  async *readReleasing(): AsyncGenerator<Uint8Array> {
    this.#isReleasing = true;
    this.#endTime();
    for await (const piece of this.read()) {
      this.#release(piece.byteLength);
      if (this.#held <= MAX_AHEAD) this.#message.resume();
      yield piece;
    }
  }

  #release(size: number): void {
    // After letGo nothing is held.
    const released = Math.min(size, this.#held);
    this.#held -= released;
    this.#memory.held -= released;
  }

  /** Stores nothing from now on. A body with unread parts then fails instead of looking complete. */
  letGo(): void {
    if (this.#pieces.length > 0) this.#failure ??= { status: 400, text: CUT_SHORT, headers: {} };
    this.#isKept = false;
    this.#message.resume();
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
    const timer = setTimeout(resolve, MAX_DISCARD_TIME);
    await promise;
    clearTimeout(timer);
  }
}
