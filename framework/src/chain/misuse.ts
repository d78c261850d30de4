/**
 * The errors for code that breaks the contract of the chain. Each names the element and the route.
 * They are ordinary errors: the response is a 500 in every environment.
 */

import { isPageType } from '../http/page-type.ts';
import { isStream, type Response, type ResponseHeaders } from '../http/response.ts';
import type { RouteName } from './context.ts';

/** How error messages name an element of a chain. */
export interface ElementName {
  readonly name: string;
  readonly route: RouteName | null;
}

/** Throws unless `value` is a response that can be sent. */
export function checkResponse(value: unknown, element: ElementName): asserts value is Response {
  if (!isResponse(value)) throw noResponse(value, element);
  const { status, headers, body } = value;
  if ((status | 0) !== status || status < 200 || status > 599) {
    throw misuse(
      element,
      `returned a response with the status ${String(status)}, which cannot end a request. Use a whole number from 200 to 599.`,
    );
  }
  if ((status === 204 || status === 304) && body !== null && body !== '') {
    throw misuse(
      element,
      `returned a response with the status ${status} and a body, which such a response cannot have. Use null, or another status.`,
    );
  }
  if (Object.isFrozen(headers)) checkFrozen(headers, element);
  else checkHeaders(headers, element);
}

interface FormShown {
  readonly form?: { readonly focus?: unknown };
}

/**
 * Throws for a page with which an element answers a form. Two pages are right: the copy of one that was checked
 * already, and that of a form whose rows a button changed (`focus`), because a refresh only changes them again.
 */
export function checkRefresh(
  answer: Response,
  passed: Response | null,
  context: unknown,
  element: ElementName,
): void {
  if (element.route?.method !== 'POST' || !isShown(answer)) return;
  if (passed !== null && isShown(passed)) return;
  if ((context as FormShown | null)?.form?.focus !== undefined) return;
  throw misuse(
    element,
    `answered a form with a page and the status ${answer.status}: a refresh would send the form again. Return seeOther(…) to a page that shows the change, or the page with a status of 400 or above.`,
  );
}

function isShown({ status, headers }: Response): boolean {
  return status < 300 && isPage(headers);
}

function isPage(headers: ResponseHeaders): boolean {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return isPageType(String(type?.[1] ?? ''));
}

/** Frozen headers that were checked. They cannot change, so one check is enough. */
const sound = new WeakSet<ResponseHeaders>();

function checkFrozen(headers: ResponseHeaders, element: ElementName): void {
  if (sound.has(headers)) return;
  checkHeaders(headers, element);
  // An array inside frozen headers can still change.
  if (Object.values(headers).every((value) => typeof value === 'string')) sound.add(headers);
}

function checkHeaders(headers: ResponseHeaders, element: ElementName): void {
  for (const name in headers) {
    const header = headers[name] as string | readonly string[];
    if (!TOKEN.test(name)) throw brokenHeader(name, element);
    if (typeof header === 'string') {
      if (isUnsendable(header)) throw brokenHeader(name, element);
    } else if (!Array.isArray(header) || header.some(isUnsendable))
      throw brokenHeader(name, element);
  }
}

/**
 * The syntax of a header's name (RFC 9110 section 5.6.2); characters not allowed in a value (5.5).
 */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/;

function isUnsendable(value: unknown): boolean {
  return typeof value !== 'string' || UNSENDABLE.test(value);
}

function isBody(body: unknown): body is Response['body'] {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return true;
  return isStream(body);
}

function isResponse(value: unknown): value is Response {
  return (
    typeof value === 'object' &&
    value !== null &&
    'status' in value &&
    typeof value.status === 'number' &&
    'headers' in value &&
    typeof value.headers === 'object' &&
    value.headers !== null &&
    'body' in value &&
    isBody(value.body)
  );
}

function noResponse(value: unknown, element: ElementName): TypeError {
  if (typeof value === 'function') {
    return misuse(
      element,
      'returned a function instead of a response: it makes a middleware. Call it where the chain is registered, as in loadSession({ store }).',
    );
  }
  if (typeof value === 'object' && value !== null && 'body' in value && value.body === undefined) {
    return misuse(
      element,
      'returned a response whose body is undefined. Pass page(…) what the html tag makes, and text(…) a text; a response without content has the body null.',
    );
  }
  return misuse(
    element,
    `returned ${show(value)} instead of a response. Return what next(context) returns, or a response of its own.`,
  );
}

function brokenHeader(name: string, element: ElementName): TypeError {
  return misuse(
    element,
    `returned a response with a header ${JSON.stringify(name)} that is not text, or that holds a line break or another character that a header cannot have. Encode or refuse input before it becomes a header.`,
  );
}

export function secondNext(element: ElementName): TypeError {
  return misuse(
    element,
    'called next a second time. The rest of the chain runs once for each request: keep what the first call returned.',
  );
}

export function nextOfHandler(element: ElementName): TypeError {
  return misuse(
    element,
    'is the last of its chain and called next, so it is a middleware. Put a handler after it, a function of the context that returns a response.',
  );
}

export function droppedNext(element: ElementName): TypeError {
  return misuse(
    element,
    'answered while the rest of the chain, which it had called with next, was still running. Return or await what next(context) returns.',
  );
}

/**
 * Returns an Error unchanged, unless it comes from a missing context; wraps any other thrown value.
 */
export function toError(thrown: unknown, element: ElementName, context: unknown): Error {
  if (thrown instanceof TypeError && (typeof context !== 'object' || context === null)) {
    return misuse(
      element,
      'got no context: the middleware before it called next without one. Pass the context on: next({ ...context, … }).',
      { cause: thrown },
    );
  }
  if (thrown instanceof Error) return thrown;
  return misuse(
    element,
    `threw ${show(thrown)}, which is not an Error. Throw an Error, which has a stack trace.`,
    { cause: thrown },
  );
}

function misuse({ name, route }: ElementName, what: string, options?: ErrorOptions): TypeError {
  const who = name === '' ? 'A middleware without a name' : `"${name}"`;
  const where = route === null ? 'no route' : `${route.method} ${route.pattern}`;
  return new TypeError(`${who} in the chain of ${where} ${what}`, options);
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (!('status' in value) || typeof value.status !== 'number')
    return 'an object that has no status';
  return 'headers' in value && typeof value.headers === 'object' && value.headers !== null
    ? 'an object whose body is not text, bytes, a stream or null'
    : 'an object that has no headers';
}
