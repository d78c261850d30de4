/**
 * A body is read once; later calls get the same bytes, so an error page can show what a form contained after it
 * was parsed.
 */

import { HttpError } from './http-error.ts';
import type { Request } from './request.ts';
import { Slot } from './slot.ts';

/** Once `readBody` was called. */
const bodySlot = new Slot<Promise<Uint8Array> | null>(null);

/** The whole body. If it exceeds `limit` bytes, stops reading and rejects with a 413. */
export function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const body = bodySlot.of(request) ?? collect(request, limit);
  bodySlot.set(request, body);
  return body;
}

async function collect(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/** A body that gives up the memory of what was read: that of `serve`. */
interface ReleasingBody extends AsyncIterable<Uint8Array> {
  /** Chunks that are not counted any more once the next one is asked for. A client sends no faster. */
  readonly stream: () => AsyncIterable<Uint8Array>;
}

/** The chunks of a body, for a reader that keeps none of them. It can be read once, and not by `readBody`. */
export function streamBody(request: Request): AsyncIterable<Uint8Array> | null {
  const { body } = request;
  if (body === null) return null;
  bodySlot.set(request, Promise.resolve(new Uint8Array()));
  return 'stream' in body ? (body as ReleasingBody).stream() : body;
}

/**
 * Reads a body that `readBody` refused because of its `Content-Length`, so that the 413 page can return
 * the typed text. Null if it exceeds `most` bytes, if it has no `Content-Length` (browsers always send
 * one), or if the client waits for a 100 before it sends the body (RFC 9110 section 10.1.1).
 */
export async function readRefusedBody(request: Request, most: number): Promise<Uint8Array | null> {
  const length = request.headers['content-length'];
  const waits = request.headers['expect'] !== undefined;
  if (length === undefined || Number(length) > most || waits || request.body === null) return null;
  return collect(request, most);
}

function tooLarge(limit: number): HttpError {
  return new HttpError(413, ({ words }) => words.bodyTooLarge(limit));
}
