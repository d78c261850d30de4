/**
 * A request as an immutable value: what the client sent. Middleware adds what it finds out to the
 * context instead; only the framework stores something in `state`.
 */
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import { type AddressFlaw, readTarget, toOriginForm } from './target.ts';

/** Whether the method is GET or HEAD: the safe methods (RFC 9110 section 9.2.1) that routes serve. */
export function isSafe({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Names in lower case. Repeated headers are joined as in RFC 9110 section 5.2. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/**
 * State of a request that error pages and the log need, which run outside the middleware that adds it
 * and so do not see it on the context. Only the framework writes it.
 */
export interface RequestState {
  /** The body, once `readBody` was called. */
  body: Promise<Uint8Array> | null;
  /** The form that `readForm` reads, from the time when it starts; see `formOfRequest`. */
  form: object | null;
  /** Bytes of a form whose `readForm` has no limit of its own; 1 MiB unless `createSite` is told otherwise. */
  formLimit: number;
  /** What its forms and error pages are written in; English unless `chooseLanguage` has chosen another. */
  language: Language;
  /** The store of files and its limits, from `createSite`. */
  uploads: object | null;
  /** The form with files that was received, or is being received. */
  received: Promise<object> | null;
  /** The idempotency key of the form that `readForm` has read. */
  formKey: string | null;
  /** Of a form that another account has opened: the key with which the user may send it. */
  ownKey: string | null;
  /** The name of the session's cookie, without `__Host-`. */
  sessionCookie: string;
  /** The session that `loadSession` has found. */
  session: { readonly user: { readonly id: string | number; readonly name: string } } | null;
  /** Where a form without a session leads: the path of the log-in form. */
  logInPath: string;
  /** Why the request seems to come from another site; null if it does not, or is not checked yet. */
  mismatch: string | null;
  /** What `catchErrors` has turned into a page; undefined without an error. */
  error: unknown;
  /** The W3C trace id, while `observe` traces the request: 32 hexadecimal digits. */
  traceId: string | null;
  /** Not null while `serverTiming` measures the request. */
  timings: ElementTiming[] | null;
}

/** The time that a middleware or handler took, without the time of `next`. */
export interface ElementTiming {
  readonly name: string;
  /** Its position in the chain, from 0. */
  readonly index: number;
  /** In milliseconds. */
  readonly ownTime: number;
}

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
  readonly state: RequestState = {
    body: null,
    form: null,
    formLimit: 1_048_576,
    language: english,
    uploads: null,
    received: null,
    formKey: null,
    ownKey: null,
    sessionCookie: 'sid',
    session: null,
    logInPath: '/login',
    mismatch: null,
    error: undefined,
    traceId: null,
    timings: null,
  };
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
