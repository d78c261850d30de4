/**
 * A response value onto node:http. The length is always known and said, unless the body is a
 * stream; HEAD gets the headers of GET and no body; 204 and 304 have none.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Response } from '../response.ts';

export interface WriteOptions {
  readonly method: string;
  /** Says that this is the last answer on the connection. */
  readonly close: boolean;
  /** What to wait for between the body and the end of the message, or null. */
  readonly beforeEnd: (() => Promise<void>) | null;
}

/** Throws when Node refuses a status or a header; nothing has been sent then. */
export function writeResponse(
  out: ServerResponse,
  response: Response,
  options: WriteOptions,
): Promise<void> | null {
  const { status, body } = response;
  const bodiless = status === 204 || status === 304;
  const headers = flatten(response.headers);
  if (!bodiless && !isStream(body)) headers.push('Content-Length', String(byteLength(body)));
  if (options.close) headers.push('Connection', 'close');
  // Said each time: Node would keep the phrase of a response that it has refused before.
  out.writeHead(status, STATUS_CODES[status] ?? 'Unknown', headers);
  const silent = bodiless || body === null || options.method === 'HEAD';
  if (!silent && isStream(body)) {
    // Without an end the message is cut short, and that is what the client must see when it fails.
    return pipe(body, out)
      .then(options.beforeEnd)
      .then(() => void out.end());
  }
  if (options.beforeEnd === null) {
    out.end(silent ? undefined : body);
    return null;
  }
  if (!silent) out.write(body);
  else out.flushHeaders();
  return options.beforeEnd().finally(() => out.end());
}

/** A list of names and values by turns: what writeHead takes without building a map. */
function flatten(headers: Response['headers']): string[] {
  const list: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string') list.push(name, value);
    else if (value !== undefined) for (const one of value) list.push(name, one);
  }
  return list;
}

function isStream(body: Response['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function byteLength(body: string | Uint8Array | null): number {
  if (body === null) return 0;
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
}

/** Writes no faster than the client reads, and stops when it has gone. */
async function pipe(body: AsyncIterable<Uint8Array>, out: ServerResponse): Promise<void> {
  for await (const chunk of body) {
    if (out.destroyed) return;
    if (out.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      const done = () => {
        out.off('drain', done).off('close', done);
        resolve();
      };
      out.on('drain', done).on('close', done);
    });
  }
}
