/**
 * A request as a value: what the client sent, read once and never changed. What middleware finds
 * out about it goes on the context instead.
 */
import { readTarget } from './target.ts';

/** Whether the method only reads (RFC 9110 section 9.2.1), of those that are served. */
export function isSafe({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Names in lower case. A header sent twice is joined as RFC 9110 section 5.2 says. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

export interface Request {
  /** In upper case, as sent. */
  readonly method: string;
  /** The request target as sent: path and query, nothing decoded. */
  readonly target: string;
  /** Percent-decoded once; `%2F` and `%25` stay escaped. See target.ts. */
  readonly path: string;
  /** The query as sent, without `?`. */
  readonly search: string;
  /** The query, parsed when it is first asked for. */
  readonly query: URLSearchParams;
  readonly headers: RequestHeaders;
  /** The body's chunks, or null when there is none. Read it with `readBody`. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** How the client reached the site: a trusted proxy's word counts here. */
  readonly scheme: 'http' | 'https';
  /** The client's IP address. */
  readonly address: string;
  /** Why the target cannot be served, or null. The router answers 400. */
  readonly malformed: string | null;
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
  readonly malformed: string | null;
  #query: URLSearchParams | null = null;

  constructor(parts: RequestParts) {
    this.method = parts.method;
    this.target = parts.target;
    this.headers = parts.headers ?? NO_HEADERS;
    this.body = parts.body ?? null;
    this.scheme = parts.scheme ?? 'http';
    this.address = parts.address ?? '127.0.0.1';
    const { path, search, malformed } = readTarget(parts.target, this.headers['host']);
    this.path = path;
    this.search = search;
    this.malformed =
      path === '*' && parts.method !== 'OPTIONS'
        ? 'The address * is for OPTIONS alone.'
        : malformed;
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.search);
    return this.#query;
  }
}
