/**
 * A request as a value: what the client sent, read once and never changed. What middleware finds
 * out about it goes on the context instead; only the framework's own notes are in `state`.
 */
import { readTarget } from './target.ts';

/** Whether the method only reads (RFC 9110 section 9.2.1), of those that are served. */
export function isSafe({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Names in lower case. A header sent twice is joined as RFC 9110 section 5.2 says. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/**
 * What the framework notes about a request, for parts that stand outside the middleware that found it
 * out, where the context does not have it: error pages and the log. Only the framework writes it.
 */
export interface RequestState {
  /** The body, once `readBody` was called. */
  body: Promise<Uint8Array> | null;
  /** The key of the form that `readForm` has read. */
  formKey: string | null;
  /** What `loadSession` has found. */
  session: { readonly user: { readonly id: string | number; readonly name: string } } | null;
  /** Filled while `serverTiming` measures the request. */
  timings: ElementTiming[] | null;
}

/** How long an element of the chain took, what it called with `next` not counted. */
export interface ElementTiming {
  readonly name: string;
  /** Its place in the chain, from 0. */
  readonly index: number;
  /** In milliseconds. */
  readonly ownTime: number;
}

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
  readonly state: RequestState;
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
  readonly state: RequestState = { body: null, formKey: null, session: null, timings: null };
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
