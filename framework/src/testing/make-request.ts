/** Requests for tests, made without a socket. */
import { createRequest, type Request, type RequestHeaders } from '../http/request.ts';

/** What a request has besides its target and body. */
export interface RequestInit {
  /** Added to those of the client; undefined removes one. */
  readonly headers?: RequestHeaders;
  /**
   * Default `browser`, on a page of this site. A `program`, such as a payment service, sends no Origin and no
   * Sec-Fetch-Site, and text or bytes without a type unless `headers` has one.
   */
  readonly from?: 'browser' | 'program';
  readonly scheme?: 'http' | 'https';
  readonly address?: string;
}

/** The input of a form; a list sends the field several times. */
export type TypedFields = Readonly<Record<string, string | readonly string[]>>;

const HOST = 'localhost';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** A GET as a browser on this site sends it. */
export function get(target: string, init: RequestInit = {}): Request {
  return request('GET', target, null, init);
}

/** What `post` takes. A `FormData` is sent as multipart/form-data, with its files; text and bytes unchanged. */
export type PostBody = TypedFields | FormData | string | Uint8Array;

/** A form as its client sends it. */
export function post(target: string, body: PostBody = {}, init: RequestInit = {}): Request {
  if (body instanceof FormData) {
    const encoded = new Response(body);
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '', ...init.headers };
    return send('POST', target, encoded.body, { ...init, headers });
  }
  if (body instanceof Uint8Array) return request('POST', target, body, init);
  if (typeof body === 'string') return request('POST', target, toBytes(body), init);
  const headers = { 'content-type': FORM_TYPE, ...init.headers };
  return request('POST', target, toBytes(encodeFields(body)), { ...init, headers });
}

/** Any method, with or without a body. */
export function request(
  method: string,
  target: string,
  body: Uint8Array | null,
  init: RequestInit = {},
): Request {
  if (body === null) return send(method, target, null, init);
  const typed = init.from === 'program' ? {} : { 'content-type': FORM_TYPE };
  const headers = { ...typed, 'content-length': String(body.byteLength), ...init.headers };
  return send(method, target, chunksOf(body), { ...init, headers });
}

function send(
  method: string,
  target: string,
  body: AsyncIterable<Uint8Array> | null,
  { from = 'browser', headers, ...init }: RequestInit,
): Request {
  const own: RequestHeaders =
    from === 'program'
      ? { host: HOST }
      : { host: HOST, accept: 'text/html', 'sec-fetch-site': 'same-origin' };
  return createRequest({ ...init, method, target, headers: { ...own, ...headers }, body });
}

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The fields, encoded as a browser encodes them. */
export function encodeFields(fields: TypedFields): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of typeof value === 'string' ? [value] : value) pairs.append(name, one);
  }
  return pairs.toString();
}

async function* chunksOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}
