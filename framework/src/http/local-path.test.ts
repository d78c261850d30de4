import assert from 'node:assert/strict';
import test from 'node:test';
import { toLocalPath } from './local-path.ts';
import { seeOther } from './response.ts';

test('a path on this site is kept, with its query and without its fragment', () => {
  assert.equal(toLocalPath('/'), '/');
  assert.equal(toLocalPath('/items/7'), '/items/7');
  assert.equal(toLocalPath('/items?q=a%20b&page=2#top'), '/items?q=a%20b&page=2');
  assert.equal(toLocalPath('/items?next=//evil.test'), '/items?next=//evil.test');
});

test('a path that only looks like another site is accepted', () => {
  assert.equal(toLocalPath('/@evil.test'), '/@evil.test');
  assert.equal(toLocalPath('/x@evil.test'), '/x@evil.test');
  assert.equal(toLocalPath('/https://evil.test'), '/https://evil.test');
  assert.equal(toLocalPath('/%09/evil.test'), '/%09/evil.test');
  assert.equal(toLocalPath('/%5cevil.test'), '/%5cevil.test');
  assert.equal(toLocalPath('/%2f/evil.test'), '/%2f/evil.test');
});

test('a path is normalised before it is checked', () => {
  assert.equal(toLocalPath('/a/../items'), '/items');
  assert.equal(toLocalPath('/a/%2e%2e/items'), '/items');
  assert.equal(toLocalPath('/café'), '/caf%C3%A9');
});

const ELSEWHERE = [
  'https://evil.test/',
  'https:evil.test',
  'https:/evil.test',
  '//evil.test',
  '///evil.test',
  '////evil.test',
  '//evil.test@here.test',
  '/\\evil.test',
  '/\\/evil.test',
  '\\evil.test',
  '\\\\evil.test',
  '\\/evil.test',
  '/..//evil.test',
  '/.//evil.test',
  '/a/..//evil.test',
  '/%2e%2e//evil.test',
  '/%2E//evil.test',
  '/./\\evil.test',
  '/\t/evil.test',
  '/\n/evil.test',
  '/\r/evil.test',
  '\t//evil.test',
  ' //evil.test',
  '/ /evil.test',
  '\u0000//evil.test',
  '/\u0000',
  '/\u0085/evil.test',
  '/\u00a0/evil.test',
  '/\u2028/evil.test',
  '/items\r\nSet-Cookie: sid=1',
  '/items\n',
];

test('a path that a browser could read as another site is refused', () => {
  assert.deepEqual(
    ELSEWHERE.filter((candidate) => toLocalPath(candidate) !== null),
    [],
  );
});

test('text that is not a path is refused', () => {
  const candidates = ['', 'items', '?q=1', '#top', 'javascript:x', 'data:text/html,x', 'evil.test'];
  for (const candidate of [...candidates, null, undefined]) {
    assert.equal(toLocalPath(candidate), null);
  }
});

test('no generated text leads to another site, and every accepted path can be redirected to', () => {
  const pieces = ['/', '//', '\\', '.', '..', '%2e', '%2f', '%5c', '%09', '\t', '@', ':', '?', '#'];
  const parts = [...pieces, 'evil.test', 'https:', '\r\n', ' ', '\u00a0', '{|}^`"<>', '\ud800'];
  let passed = 0;
  for (const first of parts) {
    for (const second of parts) {
      for (const third of parts) {
        const path = toLocalPath(`/${first}${second}${third}evil.test`);
        if (path === null) continue;
        passed++;
        assert.equal(new URL(path, 'http://here.test').origin, 'http://here.test');
        assert.equal(seeOther(path).headers['Location'], path);
        assert.equal(toLocalPath(path), path);
      }
    }
  }
  assert.ok(passed > 1000, `only ${passed} candidates passed`);
});
