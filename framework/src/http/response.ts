/**
 * A response as a plain value, and the makers of the usual ones. Nobody but the server writes to a
 * socket, so everything that answers can be tested by looking at what it returns.
 *
 * Header names are written as the RFCs write them (`Content-Type`), one spelling everywhere.
 */
import { ExternalUrl, type Href, localPath } from './href.ts';
import type { Html } from './html.ts';

/** What becomes of the session: made by `startSession`, `endSession` and the like, and read by `loadSession`. */
export interface SessionChange {
  readonly kind: string;
}

/** A list is sent as one header line for each of its values. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface Response<Status extends number = number> {
  readonly status: Status;
  readonly headers: ResponseHeaders;
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  /** What becomes of the session, in order; carried out by `loadSession` before the response leaves. */
  readonly session?: readonly SessionChange[];
}

/** What `text` makes: for programs, and for what is no page. */
export interface PlainText<Status extends number = number> extends Response<Status> {
  readonly headers: ResponseHeaders & { readonly 'Content-Type': 'text/plain; charset=utf-8' };
}

const HTML_HEADERS: ResponseHeaders = Object.freeze({ 'Content-Type': 'text/html; charset=utf-8' });
const TEXT_HEADERS = Object.freeze({ 'Content-Type': 'text/plain; charset=utf-8' } as const);
const NO_HEADERS: ResponseHeaders = Object.freeze({});

// The status is what is said, or the default: never what the place of the call would like (NoInfer),
// and never one that is named as a type alone (two signatures).

/** An HTML page; 200 unless said otherwise. */
export function page(content: Html): Response<200>;
export function page<Status extends number>(
  content: Html,
  status: Status,
): Response<NoInfer<Status>>;
export function page(content: Html, status = 200): Response {
  return { status, headers: HTML_HEADERS, body: content.markup };
}

/** Plain text, as UTF-8; 200 unless said otherwise. */
export function text(content: string): PlainText<200>;
export function text<Status extends number>(
  content: string,
  status: Status,
): PlainText<NoInfer<Status>>;
export function text(content: string, status = 200): PlainText {
  return { status, headers: TEXT_HEADERS, body: content };
}

/**
 * 303 See Other (RFC 9110 section 15.4.4): the browser goes on with a GET, so that a refresh
 * repeats nothing. It leads to a path on this site, or to an address that is named as external.
 */
export function seeOther(target: Href | ExternalUrl): Response<303> {
  // Where types are not checked, text still has to be a path on this site.
  const location = target instanceof ExternalUrl ? target.href : localPath(target);
  return { status: 303, headers: { Location: location }, body: null };
}

/** The plain answer for an address that nothing serves. */
export function notFound(): Response<404> {
  return text('Not found: there is nothing at this address.\n', 404);
}

/** No content at all; 204 unless said otherwise. */
export function empty(): Response<204>;
export function empty<Status extends number>(status: Status): Response<NoInfer<Status>>;
export function empty(status = 204): Response {
  return { status, headers: NO_HEADERS, body: null };
}

/** A copy with the header set; an earlier value under the same name is replaced. */
export function withHeader<R extends Response>(response: R, name: string, value: string): R {
  return { ...response, headers: { ...response.headers, [name]: value } };
}

/** A copy with one more `Set-Cookie` line; `cookie` comes from `serializeCookie`. */
export function withCookie<R extends Response>(response: R, cookie: string): R {
  const earlier = response.headers['Set-Cookie'] ?? [];
  const cookies = typeof earlier === 'string' ? [earlier, cookie] : [...earlier, cookie];
  return { ...response, headers: { ...response.headers, 'Set-Cookie': cookies } };
}

/** A copy that says what becomes of the session, after what it has said already. */
export function withSession<R extends Response>(
  response: R,
  ...changes: readonly SessionChange[]
): R {
  return { ...response, session: [...(response.session ?? []), ...changes] };
}
