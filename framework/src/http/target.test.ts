import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeParameter, readTarget } from './target.ts';

const HOST = 'seeother.test';

test('the path is percent-decoded, and the query is left as it was sent', () => {
  assert.deepEqual(readTarget('/caf%C3%A9%20menu?q=caf%C3%A9+x&page=2', HOST), {
    path: '/café menu',
    search: 'q=caf%C3%A9+x&page=2',
    malformed: null,
  });
});

test('only the first question mark ends the path', () => {
  const { path, search } = readTarget('/items?q=why?', HOST);
  assert.deepEqual({ path, search }, { path: '/items', search: 'q=why?' });
});

test('an escaped question mark belongs to the path', () => {
  const { path, search } = readTarget('/why%3F', HOST);
  assert.deepEqual({ path, search }, { path: '/why?', search: '' });
});

test('the path is decoded once: an escaped percent sign stays escaped', () => {
  assert.equal(readTarget('/%252e%252e', HOST).path, '/%252e%252e');
  assert.equal(readTarget('/100%25', HOST).path, '/100%25');
});

test('an escaped slash stays escaped in the path, whichever way it is written', () => {
  assert.equal(readTarget('/a%2Fb/a%2fb', HOST).path, '/a%2Fb/a%2Fb');
});

test('dot segments are not resolved', () => {
  assert.equal(readTarget('/a/../b/%2e%2E/./c', HOST).path, '/a/../b/.././c');
});

test('every character survives encoding and decoding as a parameter, and none becomes a separator', () => {
  const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(index + 32));
  const values = [...ascii, 'é', '日本', '🎉', '%2F', '%252F', '%25', '50%', 'a/b%2Fc%'];
  for (const value of values) {
    const { path, malformed } = readTarget(`/items/${encodeURIComponent(value)}`, HOST);
    assert.equal(malformed, null, JSON.stringify(value));
    const [, , segment = '', ...others] = path.split('/');
    assert.equal(decodeParameter(segment), value);
    assert.deepEqual(others, []);
  }
});

test('a percent escape that is broken or not UTF-8 is malformed', () => {
  const paths = [
    '/%',
    '/%4',
    '/%zz',
    '/%u002e',
    '/%ff',
    '/%c3',
    '/%c3/%a9',
    '/%c0%af',
    '/%e0%80%af',
    '/%ed%a0%80',
    '/%f5%80%80%80',
  ];
  for (const path of paths) {
    const read = readTarget(path, HOST);
    assert.equal(read.malformed, 'notUtf8', path);
    assert.equal(read.path, path);
  }
});

test('an escaped control character is malformed', () => {
  const controls = ['%00', '%0D%0A', '%0a', '%09', '%1f', '%7F', '%C2%80', '%c2%9f'];
  for (const control of controls) {
    const read = readTarget(`/items${control}.html`, HOST);
    assert.equal(read.malformed, 'control', control);
    assert.equal(read.path, `/items${control}.html`);
  }
  assert.equal(readTarget('/items?q=%0D%0A', HOST).malformed, null);
  assert.equal(readTarget('/items%C2%A0', HOST).malformed, null);
});

test('a character that must be escaped is malformed, in the path and in the query', () => {
  for (const character of ['\0', '\t', '\n', '\r', ' ', '#', '\\', '\x7f', 'é', '\u2028', '🎉']) {
    for (const target of [`/a${character}b`, `/a?b=${character}`]) {
      const { malformed } = readTarget(target, HOST);
      assert.equal(malformed, 'unescaped', JSON.stringify(target));
    }
  }
});

test('a target that names the host of the Host header is read like its path, with its port or without', () => {
  const expected = { path: '/a b', search: 'q=1', malformed: null };
  for (const host of ['seeother.test', 'SEEOTHER.test', 'seeother.test:', 'seeother.test:80']) {
    assert.deepEqual(readTarget(`http://${host}/a%20b?q=1`, HOST), expected, host);
    assert.deepEqual(readTarget('http://seeother.test/a%20b?q=1', host), expected, host);
  }
  assert.deepEqual(readTarget('http://seeother.test/a%20b?q=1', HOST), expected);
  assert.deepEqual(readTarget('HTTPS://SeeOther.Test/a%20b?q=1', HOST), expected);
});

test('a target that names a host and no path is the root', () => {
  assert.equal(readTarget('http://seeother.test', HOST).path, '/');
  assert.deepEqual(readTarget('http://seeother.test?q=1', HOST), {
    path: '/',
    search: 'q=1',
    malformed: null,
  });
});

test('a target that names another host than the Host header is malformed', () => {
  const targets = [
    'http://evil.test/',
    'http://seeother.test:81/',
    'http://seeother.test:443/',
    'http:///',
    'http://seeother.test@evil.test/',
    'http://evil.test\\@seeother.test/',
  ];
  for (const target of targets) {
    assert.equal(readTarget(target, HOST).malformed, 'otherHost', target);
  }
  assert.equal(readTarget('http://evil.test/', undefined).malformed, 'otherHost');
});

test('a target that is neither a path nor a web address is malformed', () => {
  for (const target of ['', 'items', '?q=1', 'seeother.test:80', 'ftp://seeother.test/', '**']) {
    const { malformed } = readTarget(target, HOST);
    assert.equal(malformed, 'noSlash', target);
  }
});
