/**
 * Writes a response value to node:http. Every response has a length, unless the body is a stream. HEAD
 * gets the headers of GET without a body; 204 and 304 have no body.
 *
 * Headers are passed in one call, as a list, which Node uses without building a map. The lists of
 * frozen headers are built once; only the length in them changes.
 */
import type { ServerResponse } from 'node:http';
import { closeStream, isStream, type Response, type ResponseHeaders } from '../http/response.ts';
import { STATUS_CODES } from './node-http.ts';

/** Bytes per write: a sweep sees only how many whole writes a slow client has taken. */
const PIECE = 65_536;

export interface WriteOptions {
  /** Whether this is the last answer on the connection. */
  readonly close: boolean;
  /** A promise to wait for between the body and the end of the message, or null. */
  readonly beforeEnd: (() => Promise<void>) | null;
}

/** Throws if Node refuses a status or a header; nothing has been sent then. */
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
  // Always set: otherwise Node would keep the phrase of a response that it refused before.
  const phrase = STATUS_CODES[status] ?? 'Unknown';
  if (close) out.shouldKeepAlive = false;
  out.writeHead(status, phrase, close ? [...list, 'Connection', 'close'] : list);
  const silent = bodiless || body === null || out.req.method === 'HEAD';
  if (silent && streamed) closeStream(response);
  if (!silent && (streamed || length > PIECE)) {
    // Without an end the message is truncated, which tells the client that the stream failed.
    return pipe(streamed ? body : [toBytes(body)], out)
      .then(beforeEnd)
      .then(() => void out.end());
  }
  if (beforeEnd === null) {
    if (silent || typeof body !== 'string') out.end(silent ? undefined : body);
    // Node writes bytes as they are faster than it looks for what is to be encoded.
    else out.end(body, length === body.length ? 'latin1' : 'utf8');
    return null;
  }
  if (!silent) out.write(body);
  else out.flushHeaders();
  return beforeEnd().finally(() => out.end());
}

/** The list built from headers that many responses share. */
interface Lists {
  readonly bare: string[];
  /** The length is the last value. */
  readonly withLength: string[];
}

const lists = new WeakMap<ResponseHeaders, Lists>();

/** `length` is -1 if unknown. The list is reused by the next response, so use it immediately. */
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

/** Names and values, alternating. */
function listHeaders(headers: ResponseHeaders): string[] {
  const list: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string') list.push(name, value);
    else if (value !== undefined) for (const one of value) list.push(name, one);
  }
  return list;
}

function byteLength(body: string | Uint8Array | null): number {
  if (body === null) return 0;
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
}

function toBytes(body: string | Uint8Array | null): Uint8Array {
  return typeof body === 'string' || body === null ? Buffer.from(body ?? '') : body;
}

/** Writes no faster than the client reads, and stops if it disconnects. */
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
