/**
 * A response value onto node:http. The length is always known and said, unless the body is a
 * stream; HEAD gets the headers of GET and no body; 204 and 304 have none.
 *
 * The headers go in one call, as a list, which Node takes without building a map. Headers that cannot
 * change any more are made into a list once; only the length in it is another one each time.
 */
import type { ServerResponse } from 'node:http';
import type { Response, ResponseHeaders } from '../http/response.ts';
import { STATUS_CODES } from './node-http.ts';

/** Bytes that are handed over at a time: a sweep sees only how many of these a slow client has taken. */
const PIECE = 65_536;

export interface WriteOptions {
  /** Says that this is the last answer on the connection. */
  readonly close: boolean;
  /** What to wait for between the body and the end of the message, or null. */
  readonly beforeEnd: (() => Promise<void>) | null;
}

/** Throws when Node refuses a status or a header; nothing has been sent then. */
export function writeResponse(
  out: ServerResponse,
  response: Response,
  { close, beforeEnd }: WriteOptions,
): Promise<void> | null {
  const { status, headers, body } = response;
  const bodiless = status === 204 || status === 304;
  const streamed = isStream(body);
  const length = bodiless || streamed ? -1 : byteLength(body);
  const list = toList(headers, length);
  // Said each time: Node would keep the phrase of a response that it has refused before.
  const phrase = STATUS_CODES[status] ?? 'Unknown';
  out.writeHead(status, phrase, close ? [...list, 'Connection', 'close'] : list);
  const silent = bodiless || body === null || out.req.method === 'HEAD';
  if (!silent && (streamed || length > PIECE)) {
    // Without an end the message is cut short, and that is what the client must see when it fails.
    return pipe(streamed ? body : [toBytes(body)], out)
      .then(beforeEnd)
      .then(() => void out.end());
  }
  if (beforeEnd === null) {
    out.end(silent ? undefined : body);
    return null;
  }
  if (!silent) out.write(body);
  else out.flushHeaders();
  return beforeEnd().finally(() => out.end());
}

/** What headers that many responses share are made into. */
interface Lists {
  readonly bare: string[];
  /** The length is the last value. */
  readonly withLength: string[];
}

const lists = new WeakMap<ResponseHeaders, Lists>();

/** `length` is -1 when it is not said. The list is used at once, and is another response's after that. */
function toList(headers: ResponseHeaders, length: number): string[] {
  let shared = lists.get(headers);
  if (shared === undefined) {
    const bare = listHeaders(headers);
    shared = { bare, withLength: [...bare, 'Content-Length', ''] };
    if (isConstant(headers)) lists.set(headers, shared);
  }
  if (length === -1) return shared.bare;
  shared.withLength[shared.withLength.length - 1] = String(length);
  return shared.withLength;
}

/** A list inside frozen headers may still change. */
function isConstant(headers: ResponseHeaders): boolean {
  return (
    Object.isFrozen(headers) && Object.values(headers).every((value) => typeof value === 'string')
  );
}

/** Names and values by turns. */
function listHeaders(headers: ResponseHeaders): string[] {
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

function toBytes(body: string | Uint8Array | null): Uint8Array {
  return typeof body === 'string' || body === null ? Buffer.from(body ?? '') : body;
}

/** Writes no faster than the client reads, and stops when it has gone. */
async function pipe(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  out: ServerResponse,
): Promise<void> {
  for await (const chunk of body) {
    for (let at = 0; at < chunk.byteLength; at += PIECE) {
      if (out.destroyed) return;
      if (!out.write(chunk.subarray(at, at + PIECE))) await drain(out);
    }
  }
}

function drain(out: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    out.off('drain', done).off('close', done);
    resolve();
  };
  out.on('drain', done).on('close', done);
  return promise;
}
