/**
 * A response as a plain value, and functions that create the usual ones. Only the server writes to a
 * socket, so tests inspect the returned value.
 *
 * Header names have one spelling, that of the RFCs (`Content-Type`).
 */
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import type { Advice } from './advice.ts';
import { ExternalUrl, type Href, localPath } from './href.ts';
import type { Html } from './html.ts';

/**
 * A change of the session: `startSession`, `endSession` and others create it, `loadSession` applies it.
 */
export interface SessionChange {
  readonly kind: string;
}

/** A list is sent as one header line per value. Headers that have one value at most are text. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>> & {
  readonly Location?: string;
  readonly 'Content-Type'?: string;
};

/**
 * A response as a value. `page`, `text`, `seeOther` and `empty` make one; the `with…` functions return a
 * changed copy.
 */
export interface Response<Status extends number = number> {
  readonly status: Status;
  readonly headers: ResponseHeaders;
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  /** Changes of the session, in order; `loadSession` applies them before the response is sent. */
  readonly session?: readonly SessionChange[];
}

/** The result of `text`: an answer for programs, or one that is not a page. */
export interface PlainText<Status extends number = number> extends Response<Status> {
  readonly headers: ResponseHeaders & { readonly 'Content-Type': 'text/plain; charset=utf-8' };
}

const HTML_HEADERS: ResponseHeaders = Object.freeze({ 'Content-Type': 'text/html; charset=utf-8' });
const TEXT_HEADERS = Object.freeze({ 'Content-Type': 'text/plain; charset=utf-8' } as const);
const NO_HEADERS: ResponseHeaders = Object.freeze({});

// The type of the status is that of the argument or the default. `NoInfer` stops inference from the
// expected return type; two signatures stop a status that is given only as a type argument.

type UseHtmlTag = 'Write a page with the html tag, which escapes the values in it: page(html`…`)';
type UseHref = 'Take a path from href(…), or check text with localPath(…) or toLocalPath(…)';

/** An HTML page; 200 by default. */
export function page(content: Html | Advice<UseHtmlTag>): Response<200>;
export function page<Status extends number>(
  content: Html | Advice<UseHtmlTag>,
  status: Status,
): Response<NoInfer<Status>>;
export function page(content: Html | Advice<UseHtmlTag>, status = 200): Response {
  return { status, headers: HTML_HEADERS, body: (content as Html).markup };
}

/** Plain text in UTF-8; 200 by default. */
export function text(content: string): PlainText<200>;
export function text<Status extends number>(
  content: string,
  status: Status,
): PlainText<NoInfer<Status>>;
export function text(content: string, status = 200): PlainText {
  return { status, headers: TEXT_HEADERS, body: content };
}

/**
 * 303 See Other (RFC 9110 section 15.4.4): the browser continues with a GET, so a refresh repeats
 * nothing. The target is a path on this site, or an address declared with `externalUrl`.
 */
export function seeOther(target: Href | ExternalUrl | Advice<UseHref>): Response<303> {
  // Checked again at run time, for callers without type checks.
  const location = target instanceof ExternalUrl ? target.href : localPath(target);
  return { status: 303, headers: { Location: location }, body: null };
}

/** The plain-text 404 for an address without a route; in English by default. */
export function notFound({ words }: Language = english): Response<404> {
  return text(`${words.nothingHere}\n`, 404);
}

/** No content; 204 by default. */
export function empty(): Response<204>;
export function empty<Status extends number>(status: Status): Response<NoInfer<Status>>;
export function empty(status = 204): Response {
  return { status, headers: NO_HEADERS, body: null };
}

/** A copy with the header set; it replaces an earlier value. */
export function withHeader<R extends Response>(response: R, name: string, value: string): R {
  return { ...response, headers: { ...response.headers, [name]: value } };
}

/** A copy that says that it depends on one more header of the request (RFC 9110 section 12.5.5). */
export function withVary<R extends Response>(response: R, name: string): R {
  const vary = String(response.headers['Vary'] ?? '');
  return withHeader(response, 'Vary', vary === '' ? name : `${vary}, ${name}`);
}

/** A copy with one more `Set-Cookie` line; `cookie` comes from `serializeCookie`. */
export function withCookie<R extends Response>(response: R, cookie: string): R {
  const earlier = response.headers['Set-Cookie'] ?? [];
  const cookies = typeof earlier === 'string' ? [earlier, cookie] : [...earlier, cookie];
  return { ...response, headers: { ...response.headers, 'Set-Cookie': cookies } };
}

/** A copy with more session changes, applied after the existing ones. */
export function withSession<R extends Response>(
  response: R,
  ...changes: readonly SessionChange[]
): R {
  return { ...response, session: [...(response.session ?? []), ...changes] };
}

export function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** Closes the stream of a response that is not sent, so that what it holds is released. */
export function closeStream({ body }: Response): void {
  if (isStream(body))
    body[Symbol.asyncIterator]()
      .return?.()
      .catch(() => {});
}
