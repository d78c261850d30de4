/** Requests for tests, made without a socket. */
import { createRequest, type Request, type RequestHeaders } from '../http/request.ts';

/** What a request has besides its target and body. Without `headers`, those of a browser on this site. */
export interface RequestInit {
  readonly headers?: RequestHeaders;
  readonly scheme?: 'http' | 'https';
  readonly address?: string;
}

/** The input of a form; a list sends the field several times. */
export type TypedFields = Readonly<Record<string, string | readonly string[]>>;

const HOST = 'localhost';

/** A GET as a browser on this site sends it. */
export function get(target: string, init: RequestInit = {}): Request {
  return request('GET', target, null, init);
}

/** A form as a browser on this site sends it; text or bytes are sent unchanged as the body. */
export function post(
  target: string,
  body: TypedFields | string | Uint8Array = {},
  init: RequestInit = {},
): Request {
  return request('POST', target, toBytes(body), init);
}

/** Any method, with or without a body. */
export function request(
  method: string,
  target: string,
  body: Uint8Array | null,
  init: RequestInit = {},
): Request {
  const browser: RequestHeaders = {
    host: HOST,
    accept: 'text/html',
    'sec-fetch-site': 'same-origin',
  };
  const sent: RequestHeaders =
    body === null
      ? browser
      : {
          ...browser,
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(body.byteLength),
        };
  return createRequest({
    ...init,
    method,
    target,
    headers: { ...sent, ...init.headers },
    body: body === null ? null : chunksOf(body),
  });
}

function toBytes(body: TypedFields | string | Uint8Array): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : encodeFields(body));
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
