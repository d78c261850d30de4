/**
 * Reads a request's body once, up to a limit. Asking again gives the same bytes, so that an error
 * page can give back what was typed after a form has been read.
 */
import { HttpError } from './http-error.ts';
import type { Request } from './request.ts';

/** The whole body. Rejects with a 413 when it is larger than `limit` bytes, before reading more. */
export function readBody(request: Request, limit: number): Promise<Uint8Array> {
  request.state.body ??= collect(request, limit);
  return request.state.body;
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

/**
 * The whole of a body that `readBody` has refused for the size it announced, so that the page which
 * says so can give back what was typed. Null when it is larger than `most` bytes, when it has not
 * announced its length, as every browser does, or waits to be asked for (RFC 9110 section 10.1.1).
 */
export async function readRefusedBody(request: Request, most: number): Promise<Uint8Array | null> {
  const length = request.headers['content-length'];
  const waits = request.headers['expect'] !== undefined;
  if (length === undefined || Number(length) > most || waits || request.body === null) return null;
  return collect(request, most);
}

function tooLarge(limit: number): HttpError {
  return new HttpError(
    413,
    `What you sent is larger than the ${limit.toLocaleString('en')} bytes that this site accepts.`,
  );
}
