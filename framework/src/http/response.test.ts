import assert from 'node:assert/strict';
import test from 'node:test';
import { dropDraft, endSession, renewSession } from '../session/session-change.ts';
import { ExternalUrl, externalUrl, type Href, localPath } from './href.ts';
import { html } from './html.ts';
import { empty, page, seeOther, text, withCookie, withHeader, withSession } from './response.ts';

test('a page is HTML in UTF-8, with the status 200 by default', () => {
  assert.deepEqual(page(html`<p>Hello</p>`), {
    status: 200,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
    body: '<p>Hello</p>',
  });
  assert.equal(page(html``, 400).status, 400);
});

test('text is plain text in UTF-8, with the status 200 by default', () => {
  assert.deepEqual(text('Hello'), {
    status: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    body: 'Hello',
  });
  assert.equal(text('', 503).status, 503);
});

test('an empty response has no body and no type, with the status 204 by default', () => {
  assert.deepEqual(empty(), { status: 204, headers: {}, body: null });
  assert.equal(empty(304).status, 304);
});

test('a redirect is a 303 with the path in its Location', () => {
  assert.deepEqual(seeOther(localPath('/items/7?saved=1#top')), {
    status: 303,
    headers: { Location: '/items/7?saved=1#top' },
    body: null,
  });
  assert.equal(seeOther(localPath('/')).headers['Location'], '/');
});

test('a redirect leads only to a path on this site', () => {
  const elsewhere = [
    '',
    'items',
    '?page=2',
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '\\/evil.test',
    '/items\\',
    'https://evil.test/',
    'https:evil.test',
    'javascript:alert(1)',
    'data:text/html,x',
    ' /items',
    '\t//evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '/items\r\nSet-Cookie: sid=1',
    '/items\n',
    '/items\0',
    '/it ems',
    '/café',
    '/\u2028',
    '/\x7f',
  ];
  for (const path of elsewhere) {
    assert.throws(
      () => seeOther(path as Href),
      /^TypeError: Cannot use .* as a path on this site/s,
    );
  }
});

test('an external address must be marked as one', () => {
  const target = externalUrl('https://example.test/a?b=1');
  assert.ok(target instanceof ExternalUrl);
  assert.equal(seeOther(target).headers['Location'], 'https://example.test/a?b=1');
  for (const text of ['/items', '//example.test', 'javascript:alert(1)', 'example.test', '']) {
    assert.throws(() => externalUrl(text), /^TypeError: Cannot use .* as an address on another/);
  }
});

test('setting a header replaces its value and keeps the other headers', () => {
  const changed = withHeader(withHeader(text('x'), 'Cache-Control', 'no-store'), 'ETag', '"1"');
  assert.deepEqual(withHeader(changed, 'Cache-Control', 'no-cache').headers, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-cache',
    ETag: '"1"',
  });
});

test('cookies are added, one header line each, also after one set as a header', () => {
  const one = withCookie(empty(), 'a=1');
  assert.deepEqual(one.headers['Set-Cookie'], ['a=1']);
  assert.deepEqual(withCookie(one, 'a=2').headers['Set-Cookie'], ['a=1', 'a=2']);
  const set = withHeader(empty(), 'Set-Cookie', 'b=1');
  assert.deepEqual(withCookie(set, 'c=1').headers['Set-Cookie'], ['b=1', 'c=1']);
});

test('copies do not change the original response', () => {
  const response = text('x');
  const before = structuredClone(response);
  withHeader(response, 'Content-Type', 'text/css');
  withCookie(response, 'a=1');
  withSession(response, endSession);
  assert.deepEqual(response, before);
});

test('session changes are part of the response value', () => {
  const once = withSession(empty(), endSession);
  assert.deepEqual(once, { ...empty(), session: [endSession] });
  assert.deepEqual(withSession(once, renewSession, dropDraft).session, [
    endSession,
    renewSession,
    dropDraft,
  ]);
});
