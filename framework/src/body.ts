/**
 * Reads a request's body once, up to a limit. Asking again gives the same bytes, so that an error
 * page can give back what was typed after a form has been read.
 */
import { HttpError } from './http-error.ts';
import type { Request } from './request.ts';

const bodies = new WeakMap<Request, Promise<Uint8Array>>();
/** What had come of bodies that were refused half way. */
const starts = new WeakMap<Request, readonly Uint8Array[]>();

/** The whole body. Rejects with a 413 when it is larger than `limit` bytes, before reading more. */
export function readBody(request: Request, limit: number): Promise<Uint8Array> {
  let body = bodies.get(request);
  if (body === undefined) {
    body = collect(request, limit);
    bodies.set(request, body);
  }
  return body;
}

async function collect(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    chunks.push(chunk);
    if (size > limit) {
      starts.set(request, chunks);
      throw tooLarge(limit);
    }
  }
  return join(chunks);
}

/**
 * The whole of a body that `readBody` has refused for its size, so that the page which says so can
 * give back what was typed. Null when it is larger than `most` bytes, or not sent before it is
 * asked for (RFC 9110 section 10.1.1).
 */
export async function readRefusedBody(request: Request, most: number): Promise<Uint8Array | null> {
  const isTooLong = Number(request.headers['content-length'] ?? 0) > most;
  if (isTooLong || request.headers['expect'] !== undefined || request.body === null) return null;
  const chunks = [...(starts.get(request) ?? [])];
  let size = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return join(chunks);
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function tooLarge(limit: number): HttpError {
  return new HttpError(
    413,
    `What was sent is larger than the ${limit.toLocaleString('en')} bytes that this site takes at once.`,
  );
}
