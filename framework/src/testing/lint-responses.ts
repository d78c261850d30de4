/**
 * A middleware for tests. It checks every response against the rules of docs/contract.md, and throws an
 * error that lists each violation with method, path and route. Use it outermost, so that it sees what
 * the server would send.
 */
import { AssertionError } from 'node:assert';
import { answersJson } from '../chain/answers-json.ts';
import type { Context, Middleware } from '../chain/context.ts';
import { changeSlot } from '../form/read-form.ts';
import { andThen } from '../http/awaitable.ts';
import { isPageType } from '../http/page-type.ts';
import { isStream, type Response } from '../http/response.ts';

/** Descriptions of the violated rules; empty if there are none. */
type Rule = (response: Response, context: Context) => readonly string[];

/**
 * Throws for a response that breaks a rule of HTTP or of the framework, with a list of all that it breaks.
 * Use it outermost, in tests only.
 */
export const lintResponses: Middleware = function lintResponses(context, next) {
  return andThen(next(context), (response) => {
    const broken = RULES.flatMap((rule) => rule(response, context));
    if (broken.length === 0) return response;
    const { request, route } = context;
    const where = route === null ? 'no route' : `${route.method} ${route.pattern}`;
    const message = `The answer ${response.status} to ${request.method} ${request.path} (${where}) breaks the contract:\n${broken.map((one) => `- ${one}`).join('\n')}`;
    throw new AssertionError({ message, stackStartFn: lintResponses });
  });
};

const checkType: Rule = ({ status, headers, body }) => {
  const type = valuesOf(headers, 'Content-Type')[0];
  const hasBody = body !== null && body !== '';
  if (status === 204 || status === 304)
    return hasBody ? [`a ${status} has no body (RFC 9110 section 6.4.1)`] : [];
  if (type === undefined) return hasBody ? ['a body has a Content-Type'] : [];
  return /^text\//i.test(type) && !/; charset=utf-8$/.test(type)
    ? [`text says charset=utf-8, and Content-Type is ${JSON.stringify(type)}`]
    : [];
};

const checkForm: Rule = ({ status, headers }, context) => {
  const { request, route } = context;
  if (request.method !== 'POST' || answersJson(context)) return [];
  const type = valuesOf(headers, 'Content-Type')[0] ?? '';
  const isHtml = isPageType(type);
  // Another site, and no browser, may be what has sent it.
  if (route?.acceptsCrossOrigin && type === 'application/json') return [];
  if (status === 200 && isHtml && !changeSlot.of(request))
    return ['a form is not answered with 200 and HTML: a refresh would send it again; use 303'];
  return status >= 400 && route !== null && !isHtml
    ? ['an error answer to a form is an HTML page with advice']
    : [];
};

const checkRedirect: Rule = ({ status, headers }) => {
  const places = valuesOf(headers, 'Location');
  const redirects = status >= 300 && status <= 399 && status !== 304;
  if (!redirects) return places.length === 0 ? [] : ['Location goes with a redirect only'];
  if (places.length !== 1) return [`a ${status} has one Location`];
  return /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(places[0] ?? '')
    ? []
    : [`Location is a path on this site, and not ${JSON.stringify(places[0])}`];
};

const checkChallenge: Rule = ({ status, headers }) =>
  status === 401 && valuesOf(headers, 'WWW-Authenticate').length === 0
    ? ['a 401 has WWW-Authenticate (RFC 9110 section 15.5.2)']
    : [];

const checkCookies: Rule = ({ headers }, { request }) =>
  valuesOf(headers, 'Set-Cookie').flatMap((line) => {
    const [pair = '', ...attributes] = line.split('; ');
    const wanted = [/^HttpOnly$/, /^SameSite=(Lax|Strict)$/, /^Path=\//, /^Max-Age=\d+$/];
    if (request.scheme === 'https') wanted.push(/^Secure$/);
    const missing = wanted
      .filter((one) => !attributes.some((attribute) => one.test(attribute)))
      .map(({ source }) => /[A-Za-z-]+/.exec(source)?.[0]);
    if (request.scheme === 'https' && !pair.startsWith('__Host-')) missing.push('__Host-');
    const name = pair.slice(0, pair.indexOf('='));
    return missing.length === 0 ? [] : [`the cookie ${name} lacks ${missing.join(', ')}`];
  });

/** Only if a header says how long it may be cached. A refused form need not vary: Back alone shows it. */
const checkCaching: Rule = ({ status, headers }) => {
  const [caching = 'no-store'] = valuesOf(headers, 'Cache-Control');
  if (caching === 'no-store') return [];
  // The cookie of awaited messages holds no secret: a stored form with a message may clear it.
  const cookies = valuesOf(headers, 'Set-Cookie').filter(
    (line) => !/^(__Host-)?awaited=/.test(line),
  );
  if (cookies.length > 0) return [`an answer that sets a cookie is no-store, and not ${caching}`];
  if (!isPageType(valuesOf(headers, 'Content-Type')[0] ?? '')) return [];
  const varies = valuesOf(headers, 'Vary').flatMap((names) => names.split(', '));
  return caching === 'private, no-cache' && (status >= 400 || varies.includes('Cookie'))
    ? []
    : [`a page that may be kept is private, no-cache and varies by Cookie, and not ${caching}`];
};

const checkNonce: Rule = ({ status, headers }) => {
  if (!valuesOf(headers, 'Content-Security-Policy').join().includes("'nonce-")) return [];
  if (status === 304) return ['a 304 has no nonce: the stored page has another one, or none'];
  const [caching = 'no-store'] = valuesOf(headers, 'Cache-Control');
  return caching === 'no-store' && valuesOf(headers, 'ETag').length === 0
    ? []
    : ['a response with a nonce is no-store, without ETag: a stored page repeats its nonce'];
};

const checkStack: Rule = ({ status, body }) =>
  status >= 400 && typeof body === 'string' && /^[ \t]*at .+:\d+:\d+\)?$/m.test(body)
    ? ['an error page shows no stack']
    : [];

/** Names in another spelling than a capital after each hyphen and lower case elsewhere. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  ['ETag', 'WWW-Authenticate', 'X-XSS-Protection', 'NEL', 'SourceMap'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);
/** The server sets these itself; it does not know the length of a stream. */
const OF_THE_SERVER = /^(content-length|transfer-encoding|connection|keep-alive|date)$/i;

const checkNames: Rule = ({ headers, body }) => {
  const names = Object.keys(headers);
  const spelled = names
    .filter((name) => name !== canonical(name))
    .map((name) => `the header ${name} is spelled ${canonical(name)}`);
  const doubled = names
    .filter((name, index) => names.findIndex((one) => sameName(one, name)) < index)
    .map((name) => `the header ${name} comes twice, in different spellings`);
  const taken = names
    .filter(
      (name) => OF_THE_SERVER.test(name) && !(isStream(body) && /^content-length$/i.test(name)),
    )
    .map((name) => `the header ${name} is the server's to send`);
  return [...spelled, ...doubled, ...taken];
};

const checkSession: Rule = ({ session }) =>
  session === undefined ? [] : ['a change of the session is carried out by loadSession'];

const RULES: readonly Rule[] = [
  checkType,
  checkForm,
  checkRedirect,
  checkChallenge,
  checkCookies,
  checkCaching,
  checkNonce,
  checkStack,
  checkNames,
  checkSession,
];

/** In any spelling of the name. */
function valuesOf(headers: Response['headers'], name: string): readonly string[] {
  return Object.entries(headers)
    .filter(([one]) => sameName(one, name))
    .flatMap(([, value]) => value);
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function canonical(name: string): string {
  const lower = name.toLowerCase();
  return (
    SPELLINGS.get(lower) ?? lower.replaceAll(/(^|-)([a-z])/g, (letter) => letter.toUpperCase())
  );
}
