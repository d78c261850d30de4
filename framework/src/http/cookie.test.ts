import assert from 'node:assert/strict';
import test from 'node:test';
import { type CookieAttributes, readCookie, serializeCookie } from './cookie.ts';

test('a cookie is found by its complete name', () => {
  const header = 'a=1; sid=abc; xsid=2; sidx=3; SID=4';
  assert.deepEqual(readCookie(header, 'sid'), ['abc']);
});

test('a request without the cookie has no value', () => {
  assert.deepEqual(readCookie(undefined, 'sid'), []);
  assert.deepEqual(readCookie('', 'sid'), []);
  assert.deepEqual(readCookie('sid', 'sid'), []);
  assert.deepEqual(readCookie('other=sid', 'sid'), []);
});

test('two cookies of the same name are both returned, in order', () => {
  assert.deepEqual(readCookie('sid=planted; a=1; sid=real', 'sid'), ['planted', 'real']);
  assert.deepEqual(readCookie('sid=same; sid=same', 'sid'), ['same', 'same']);
});

test('spaces and tabs around name and value are not part of them', () => {
  assert.deepEqual(readCookie(' \t sid \t=\t abc \t; a=1', 'sid'), ['abc']);
});

test('a name with any other white space around it is another cookie', () => {
  for (const blank of ['\u00a0', '\u2000', '\ufeff', '\u3000', '\u0085', '\v', '\f', '\n', '\r']) {
    assert.deepEqual(readCookie(`${blank}sid=planted`, 'sid'), []);
    assert.deepEqual(readCookie(`sid${blank}=planted`, 'sid'), []);
  }
});

test('a value is returned unchanged', () => {
  assert.deepEqual(readCookie('sid=a=b==; x=1', 'sid'), ['a=b==']);
  assert.deepEqual(readCookie('sid="quoted"', 'sid'), ['"quoted"']);
  assert.deepEqual(readCookie('sid=%41', 'sid'), ['%41']);
  assert.deepEqual(readCookie('sid=', 'sid'), ['']);
  assert.deepEqual(readCookie('sid=\u00a0x', 'sid'), ['\u00a0x']);
});

test('only a semicolon separates cookies', () => {
  assert.deepEqual(readCookie('a=1, sid=planted', 'sid'), []);
  assert.deepEqual(readCookie('a="1; sid=2"', 'sid'), ['2"']);
});

const PLAIN: CookieAttributes = {
  maxAge: 60,
  path: '/',
  secure: false,
  httpOnly: false,
  sameSite: 'Strict',
};

test('a cookie is written with its path, age and security attributes', () => {
  assert.equal(
    serializeCookie('sid', 'abc', PLAIN),
    'sid=abc; Path=/; Max-Age=60; SameSite=Strict',
  );
  assert.equal(
    serializeCookie('__Host-sid', 'a-_=', {
      maxAge: 1.9,
      path: '/items',
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
    }),
    '__Host-sid=a-_=; Path=/items; Max-Age=1; HttpOnly; Secure; SameSite=Lax',
  );
});

test('a cookie is removed by an empty value and no age', () => {
  assert.match(serializeCookie('sid', '', { ...PLAIN, maxAge: 0 }), /^sid=; Path=\/; Max-Age=0;/);
});

const BREAKING = ['\r\n', '\n', '\r', '\0', ';', ' ', '\t', '"', ',', '\\', 'é', '🎉', '\x7f'];

test('a value that could break out of the header is refused', () => {
  for (const character of BREAKING) {
    assert.throws(
      () => serializeCookie('sid', `a${character}Path=/evil`, PLAIN),
      /^TypeError: Cannot set the cookie sid: its value contains a character that must be encoded first\.$/,
    );
  }
});

test('a name that is not a token is refused', () => {
  for (const name of ['', 'a=b', 'a(b', ...BREAKING.map((character) => `s${character}`)]) {
    assert.throws(() => serializeCookie(name, '1', PLAIN), /the name is not a token/);
  }
});

test('a path that could break out of the header is refused', () => {
  for (const path of ['', 'items', '/;Domain=evil.test', '/\r\nX: 1', '/ ', '/é']) {
    assert.throws(() => serializeCookie('sid', '1', { ...PLAIN, path }), /is not a path/);
  }
});

test('a written cookie reads back unchanged', () => {
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(index + 33));
  const value = printable.filter((character) => !BREAKING.includes(character)).join('');
  const [pair] = serializeCookie('sid', value, PLAIN).split('; ');
  assert.deepEqual(readCookie(`a=1; ${pair}`, 'sid'), [value]);
});
