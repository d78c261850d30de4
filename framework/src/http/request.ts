/**
 * A request as an immutable value: what the client sent. Middleware adds what it finds out to the
 * context instead; only the framework notes something in `slots`.
 */
import { createSlots } from './slot.ts';
import { type AddressFlaw, readTarget, toOriginForm } from './target.ts';

/** Whether the method is GET or HEAD: the safe methods (RFC 9110 section 9.2.1) that routes serve. */
export function isSafe({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Names in lower case. Repeated headers are joined as in RFC 9110 section 5.2. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** A request as a value. Nothing in it is changed after it was made, and none of it touches a socket. */
export interface Request {
  /** In upper case, as sent. */
  readonly method: string;
  /** Path and query as sent, nothing decoded; the host of a target in absolute form is left out. */
  readonly target: string;
  /** Percent-decoded once; `%2F` and `%25` stay escaped. See target.ts. */
  readonly path: string;
  /** The query as sent, without `?`. */
  readonly search: string;
  /** The query, parsed on first use. */
  readonly query: URLSearchParams;
  readonly headers: RequestHeaders;
  /** The body's chunks, or null without a body. Read it with `readBody`. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The scheme that the client used; a trusted proxy can declare it. */
  readonly scheme: 'http' | 'https';
  /** The client's IP address. */
  readonly address: string;
  /** Why the target cannot be served, or null. The router answers 400. */
  readonly malformed: AddressFlaw | null;
  /** What the framework has noted: see slot.ts. `sessionOf` and `languageOf` read it. */
  readonly slots: unknown[];
}

export interface RequestParts {
  readonly method: string;
  readonly target: string;
  readonly headers?: RequestHeaders;
  readonly body?: AsyncIterable<Uint8Array> | null;
  readonly scheme?: 'http' | 'https';
  readonly address?: string;
}

const NO_HEADERS: RequestHeaders = Object.freeze({});

/**
 * A request for a host of your own, or for a test that needs every part of it. The path is decoded once,
 * here. In tests, `get` and `post` of `seeother/testing` are shorter.
 */
export function createRequest(parts: RequestParts): Request {
  return new ParsedRequest(parts);
}

class ParsedRequest implements Request {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly search: string;
  readonly headers: RequestHeaders;
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly scheme: 'http' | 'https';
  readonly address: string;
  readonly malformed: AddressFlaw | null;
  readonly slots = createSlots();
  #query: URLSearchParams | null = null;

  constructor(parts: RequestParts) {
    this.method = parts.method;
    this.target = toOriginForm(parts.target);
    this.headers = parts.headers ?? NO_HEADERS;
    this.body = parts.body ?? null;
    this.scheme = parts.scheme ?? 'http';
    this.address = parts.address ?? '127.0.0.1';
    const { path, search, malformed } = readTarget(parts.target, this.headers['host']);
    this.path = path;
    this.search = search;
    this.malformed = path === '*' && parts.method !== 'OPTIONS' ? 'onlyForOptions' : malformed;
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.search);
    return this.#query;
  }
}
