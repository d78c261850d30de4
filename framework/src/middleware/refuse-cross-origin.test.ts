import assert from 'node:assert/strict';
import test from 'node:test';
import type { Passed } from '../chain/context.ts';
import { HttpError } from '../http/http-error.ts';
import type { RequestHeaders } from '../http/request.ts';
import { type Response, text } from '../http/response.ts';
import { request } from '../testing/make-request.ts';
import { type CrossOriginOptions, refuseCrossOrigin } from './refuse-cross-origin.ts';

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: RequestHeaders;
  readonly scheme?: 'http' | 'https';
}

const PASSED = text('the handler ran') as Response as Passed;

/** The response to a form with these headers, and no other header about its origin. */
function send(sent: Sent, options: CrossOriginOptions = {}) {
  const { method = 'POST', path = '/items', headers = {}, scheme = 'http' } = sent;
  const form = request(method, path, new TextEncoder().encode('name=Lamp'), {
    scheme,
    headers: { 'sec-fetch-site': undefined, ...headers },
  });
  return refuseCrossOrigin(options)({ request: form, route: null }, () => PASSED);
}

/** The reason is for the log: the user gets no words that are meant for the operator. */
function assertRefused(sent: Sent, reason: RegExp, options?: CrossOriginOptions) {
  assert.throws(
    () => send(sent, options),
    (error) => {
      assert(error instanceof HttpError);
      assert.equal(error.status, 403);
      assert.equal(error.message, 'The form was not sent from this site.');
      assert.match(error.reason ?? '', reason);
      return true;
    },
    JSON.stringify(sent),
  );
}

const siteIs = (value: string): RequestHeaders => ({ 'sec-fetch-site': value });
const originIs = (value: string): RequestHeaders => ({ origin: value });

test('a form passes with the Sec-Fetch-Site same-origin or none', () => {
  for (const scheme of ['http', 'https'] as const) {
    for (const value of ['same-origin', 'none']) {
      assert.equal(send({ scheme, headers: siteIs(value) }), PASSED);
    }
  }
});

test('a form from another site is refused, and so is one from another subdomain', () => {
  for (const value of ['cross-site', 'same-site', '', 'SAME-ORIGIN', 'same-origin, none']) {
    assertRefused({ headers: siteIs(value) }, /Sec-Fetch-Site/);
  }
});

test('Sec-Fetch-Site overrides a different Origin', () => {
  const headers = { ...siteIs('cross-site'), ...originIs('http://localhost') };
  assertRefused({ headers }, /Sec-Fetch-Site/);
  const proxied = { ...siteIs('same-origin'), ...originIs('https://things.example') };
  assert.equal(send({ headers: proxied }), PASSED);
});

test('without Sec-Fetch-Site an Origin with the host of this site passes', () => {
  for (const origin of ['http://localhost', 'HTTP://LOCALHOST'])
    assert.equal(send({ headers: originIs(origin) }), PASSED, origin);
  assert.equal(send({ headers: originIs('https://localhost'), scheme: 'https' }), PASSED);
  const headers = { host: 'LocalHost:8000', origin: 'http://localhost:8000' };
  assert.equal(send({ headers }), PASSED);
});

test('without Sec-Fetch-Site any other Origin is refused', () => {
  const origins = [
    ...['null', '', 'localhost', '//localhost', 'file://localhost', 'ftp://localhost'],
    ...['http://evil.test', 'http://evil.test/localhost', 'http://evil.test#localhost'],
    ...['http://localhost.evil.test', 'http://sub.localhost', 'http://localhost/'],
    ...['http://evil@localhost', 'http://localhost@evil.test', 'http://localhost:8000'],
    ...['http://localhost, http://evil.test', 'http://evil.test http://localhost'],
  ];
  for (const origin of origins) {
    assertRefused({ headers: originIs(origin) }, /Origin/);
    assertRefused({ headers: originIs(origin), scheme: 'https' }, /Origin/);
  }
});

test('an Origin that the browser hides is refused with the reasons why it does so', () => {
  const words =
    /Referrer-Policy: no-referrer, a sandboxed frame, and a page that was saved as a file/;
  assertRefused({ headers: originIs('null') }, words);
  for (const site of ['cross-site', 'same-site'])
    assertRefused({ headers: { ...siteIs(site), ...originIs('null') } }, words);
  assert.equal(send({ headers: { ...siteIs('same-origin'), ...originIs('null') } }), PASSED);
});

test('an Origin is refused when there is no host to compare it with', () => {
  assertRefused({ headers: { host: undefined, origin: 'http://localhost' } }, /Origin/);
});

test('without either header a client that is not a browser passes over http', () => {
  assert.equal(send({}), PASSED);
});

test('without either header the form is refused over https', () => {
  assertRefused({ scheme: 'https' }, /Sec-Fetch-Site or Origin was expected/);
});

test('the public origin passes although a proxy sends another host', () => {
  const options = { publicOrigin: 'https://things.example' };
  const headers = { host: '10.0.0.7:8000', origin: 'https://things.example' };
  assert.equal(send({ headers }, options), PASSED);
  assertRefused({ headers }, /Origin/);
  for (const origin of ['http://things.example', 'https://things.example:8443', 'null']) {
    assertRefused({ headers: { ...headers, origin } }, /Origin/, options);
  }
});

test('every method that could change something is checked, also an unknown one', () => {
  const headers = siteIs('cross-site');
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'BREW', 'get', 'options']) {
    assertRefused({ method, headers }, /Sec-Fetch-Site/);
  }
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE']) {
    assert.equal(send({ method, headers }), PASSED);
    assert.equal(send({ method, scheme: 'https' }), PASSED);
  }
});

test('a host with an empty port or the default one of the scheme is the host without it', () => {
  for (const host of ['localhost:', 'localhost:80', 'LOCALHOST'])
    assert.equal(send({ headers: { host, ...originIs('http://localhost') } }), PASSED, host);
  assertRefused({ headers: { host: 'localhost:8000', ...originIs('http://localhost') } }, /Origin/);
});

test('only the method decides: not the content type, and no header, query or path', () => {
  const types = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x'];
  for (const type of [...types, 'text/plain', 'application/json', undefined])
    assertRefused({ headers: { ...siteIs('cross-site'), 'content-type': type } }, /Sec-Fetch-Site/);
  for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
    const headers = { ...siteIs('cross-site'), [name]: 'GET' };
    assertRefused({ headers, path: '/login?_method=GET' }, /Sec-Fetch-Site/);
  }
});

test('the refusal names the header, its value and what was expected', () => {
  assertRefused({ headers: siteIs('same-site') }, /Sec-Fetch-Site is "same-site".*"same-origin"/);
  assertRefused(
    { headers: originIs('http://evil.test') },
    /Origin is "http:\/\/evil\.test", where the host "localhost" was expected.*PUBLIC_ORIGIN/,
  );
  assertRefused(
    { headers: originIs('http://evil.test') },
    /where https:\/\/things\.example was expected/,
    { publicOrigin: 'https://things.example' },
  );
});

test('the refusal repeats no more than 200 characters of a value', () => {
  assertRefused({ headers: siteIs('x'.repeat(9_000)) }, /^.{0,400}$/);
});
