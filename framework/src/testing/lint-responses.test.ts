import assert from 'node:assert/strict';
import test from 'node:test';
import type { Passed } from '../chain/context.ts';
import { html } from '../http/html.ts';
import type { Response } from '../http/response.ts';
import { empty, page, text, withCookie, withHeader, withSession } from '../http/response.ts';
import type { FormAnswer } from '../router/chain-types.ts';
import { createRouter } from '../router/router.ts';
import { endSession } from '../session/session-change.ts';
import { lintResponses } from './lint-responses.ts';
import { get, post, type RequestInit } from './make-request.ts';

async function lint(response: Response, method: 'GET' | 'POST' = 'GET', init: RequestInit = {}) {
  const router = createRouter()
    .use(lintResponses)
    .register(method, '/a', [], () => response as FormAnswer);
  return router.handle(method === 'GET' ? get('/a', init) : post('/a', {}, init));
}

const COOKIE = 'sid=1; Path=/; Max-Age=9; HttpOnly; SameSite=Lax';
const ok = text('x');
const redirect = (path: string) => withHeader(empty(303), 'Location', path);
const html200 = page(html`<p>x</p>`);
const CACHING = 'Cache-Control';
const privately = withHeader(html200, CACHING, 'private, no-cache');
const kept = withHeader(privately, 'Vary', 'Cookie');
const withNonce = <R extends Response>(response: R) =>
  withHeader(response, 'Content-Security-Policy', "script-src 'nonce-abc'");

test('valid responses are passed on unchanged', async () => {
  const answers = [ok, html200, kept, empty(), empty(304), redirect('/a?b=c')];
  answers.push(withNonce(html200), withNonce(withHeader(html200, CACHING, 'no-store')));
  answers.push(withCookie(ok, COOKIE), withCookie(withHeader(ok, CACHING, 'no-store'), COOKIE));
  answers.push(withCookie(kept, COOKIE.replace('sid', 'awaited')));
  for (const answer of answers) assert.equal(await lint(answer), answer);
  assert.equal((await lint(redirect('/a'), 'POST')).status, 303);
  assert.equal((await lint(page(html`<p>x</p>`, 400), 'POST')).status, 400);
  const secure = withCookie(ok, `__Host-${COOKIE}; Secure`);
  assert.equal(await lint(secure, 'GET', { scheme: 'https' }), secure);
});

test('the error names method, path and route, and lists every rule that is broken', async () => {
  const answer = { status: 302, headers: { 'content-type': 'text/plain' }, body: 'x' };
  await assert.rejects(async () => lint(answer), {
    name: 'AssertionError',
    message:
      'The answer 302 to GET /a (GET /a) breaks the contract:\n- text says charset=utf-8, and Content-Type is "text/plain"\n- a 302 has one Location\n- the header content-type is spelled Content-Type',
  });
});

const stack = `${new Error('x').stack}`;
const cases: readonly (readonly [string, Response, RegExp, ('GET' | 'POST')?, RequestInit?])[] = [
  ['text without its charset', withHeader(ok, 'Content-Type', 'text/css'), /charset=utf-8/],
  ['a body without a type', { ...ok, headers: {} }, /a body has a Content-Type/],
  ['a form refused in plain text', text('no', 400), /an HTML page with advice/, 'POST'],
  ['a redirect to nowhere', empty(303), /a 303 has one Location/],
  ['a redirect to another site', withHeader(empty(303), 'Location', '//b.example'), /path on this/],
  ['a redirect to an address', withHeader(empty(301), 'Location', 'http://b/'), /path on this/],
  ['a Location without a redirect', withHeader(ok, 'Location', '/b'), /with a redirect only/],
  ['a 401 without a challenge', text('no', 401), /WWW-Authenticate/],
  ['a page for every cache', withHeader(kept, CACHING, 'no-cache'), /is private, no-cache/],
  ['a page kept without asking', withHeader(kept, CACHING, 'private'), /is private, no-cache/],
  ['a page for whoever comes', privately, /varies by Cookie/],
  ['a nonce on a stored page', withNonce(kept), /is no-store, without ETag/],
  ['a nonce beside an ETag', withNonce(withHeader(html200, 'ETag', 'W/"1"')), /without ETag/],
  ['a nonce on a 304', withNonce(empty(304)), /a 304 has no nonce/],
  ['a cookie on what is kept', withCookie(kept, COOKIE), /sets a cookie is no-store/],
  ['a stack on an error page', text(stack, 500), /shows no stack/],
  ['a name in lower case', withHeader(ok, 'x-tag', '1'), /x-tag is spelled X-Tag/],
  ['an ETag in another case', withHeader(ok, 'Etag', '"1"'), /Etag is spelled ETag/],
  ['a name twice', withHeader(withHeader(ok, 'X-A', '1'), 'x-a', '2'), /x-a comes twice/],
  ['a length set by hand', withHeader(ok, 'Content-Length', '1'), /the server's to send/],
  ['a session change left over', withSession(ok, endSession), /carried out by loadSession/],
  [
    'a cookie without Secure',
    withCookie(ok, COOKIE),
    /Secure, __Host-$/,
    'GET',
    { scheme: 'https' },
  ],
];

for (const [name, response, message, method, init] of cases) {
  test(`found: ${name}`, () => assert.rejects(async () => lint(response, method, init), message));
}

for (const part of ['Path=/', 'Max-Age=9', 'HttpOnly', 'SameSite=Lax']) {
  test(`found: a cookie without ${part}`, () => {
    const cookie = COOKIE.replace(`; ${part}`, '');
    const word = part.replace(/=.*/, '');
    return assert.rejects(async () => lint(withCookie(ok, cookie)), new RegExp(`lacks ${word}$`));
  });
}

test('found: a form answered with 200 and HTML, where the chain has not refused it', () => {
  assert.throws(
    () => lintResponses({ request: post('/a'), route: null }, () => html200 as Response as Passed),
    /a form is not answered with 200/,
  );
});

test('found: a body on a 304, where the chain has not refused it', () => {
  const context = { request: get('/a'), route: null };
  assert.throws(
    () => lintResponses(context, () => ({ ...ok, status: 304 }) as Response as Passed),
    /GET \/a \(no route\)[\s\S]+a 304 has no body/,
  );
});
