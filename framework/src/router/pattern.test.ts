import assert from 'node:assert/strict';
import test from 'node:test';
import { readTarget } from '../http/target.ts';
import { matchPattern, PatternError, parsePattern } from './pattern.ts';

/** The parameters that a pattern finds in a target as a client sends it. */
function match(pattern: string, target: string) {
  return matchPattern(parsePattern(pattern), readTarget(target, undefined).path);
}

test('a pattern without parameters matches exactly one path', () => {
  assert.deepEqual(match('/', '/'), {});
  assert.deepEqual(match('/items/new', '/items/new'), {});
  for (const target of ['/items', '/items/new/', '/items//new', '/Items/new', '/items/newer', '*'])
    assert.equal(match('/items/new', target), null, target);
  assert.deepEqual(match('/items/', '/items/'), {});
  assert.equal(match('/items/', '/items'), null);
});

test('characters that mean something in a regular expression are literal', () => {
  assert.deepEqual(match('/a.b$c^d|e[f]/:name', '/a.b$c^d|e[f]/x'), { name: 'x' });
  assert.equal(match('/styles.css', '/stylesxcss'), null);
});

test('a parameter matches one segment that is not empty', () => {
  assert.deepEqual(match('/items/:number', '/items/7'), { number: '7' });
  for (const target of ['/items/', '/items', '/items/7/', '/items/7/edit'])
    assert.equal(match('/items/:number', target), null, target);
  assert.deepEqual(match('/:größe_1/:$b/edit', '/items/7/edit'), { größe_1: 'items', $b: '7' });
});

test('a whole number has one spelling, and arrives as a number', () => {
  const { MAX_SAFE_INTEGER } = Number;
  for (const number of [1, 7, 10, 42, MAX_SAFE_INTEGER])
    assert.deepEqual(match('/items/:number<int>/edit', `/items/${number}/edit`), { number });
  const others = ['0', '01', '-1', '+1', '1e3', '1.0', '0x1', '%201', '%EF%BC%91', 'NaN', 'x', ''];
  for (const text of [...others, '9007199254740992', '9'.repeat(400), '1%2F'])
    assert.equal(match('/items/:number<int>', `/items/${text}`), null, text);
});

test('a wildcard matches the rest of the path, with its slashes', () => {
  assert.deepEqual(match('/files/*path', '/files/a/b%2Fc/'), { path: 'a/b/c/' });
  assert.deepEqual(match('/files/*path', '/files/'), { path: '' });
  assert.equal(match('/files/*path', '/files'), null);
  assert.deepEqual(match('/*path', '/'), { path: '' });
  assert.equal(match('/*path', '*'), null);
});

test('a parameter is decoded, also where it holds an escaped slash or percent sign', () => {
  assert.deepEqual(match('/:name', '/caf%C3%A9%20%F0%9F%8E%89'), { name: 'café 🎉' });
  assert.deepEqual(match('/:name', '/a%2Fb'), { name: 'a/b' });
  assert.deepEqual(match('/:name', '/100%25'), { name: '100%' });
  assert.deepEqual(match('/:name', '/%252F'), { name: '%2F' });
});

test('literal text is written decoded', () => {
  assert.deepEqual(match('/café menu/:name', '/caf%C3%A9%20menu/x'), { name: 'x' });
  assert.deepEqual(match('/100%', '/100%25'), {});
  assert.equal(match('/a/b', '/a%2Fb'), null);
});

const MISTAKES: readonly (readonly [pattern: string, index: number, why: RegExp])[] = [
  ['', 0, /start the pattern with it/],
  ['items', 0, /start the pattern with it/],
  ['*path', 0, /start the pattern with it/],
  ['/a//b', 3, /an empty segment; remove one of the slashes/],
  ['/a/../b', 3, /resolves "\." and "\.\." .* remove/],
  ['/a/.', 3, /resolves/],
  ['/caf%C3%A9', 4, /decoded before it is matched; write the character itself/],
  ['/a\n', 2, /no path contains this character/],
  ['/\ud800', 1, /no path contains this character/],
  ['/items/:', 7, /a name that starts with a letter; write ":name"/],
  ['/files/*', 7, /a name that starts with a letter; write "\*name"/],
  ['/:1', 1, /a name that starts with a letter/],
  ['/:__proto__', 1, /every JavaScript object already has/],
  ['/:id/items/:id', 11, /the name "id" is used twice; use different names/],
  ['/*path/a', 1, /a wildcard takes the rest of the path; put it at the end/],
  ['/items/:number(\\d+)', 14, /no regular expression; write ":name<int>" for a whole number/],
  ['/items/(\\d+)', 7, /no regular expression/],
  ['/:a(\\d+)-:b(\\d+)', 3, /no regular expression/],
  ['/items/:number?', 14, /no optional or repeated part; register each path/],
  ['/items/:path+', 12, /no optional or repeated part; .* "\*name"/],
  ['/items/:path*', 12, /no optional or repeated part/],
  ['/items{/edit}?', 6, /no optional or repeated part/],
  ['/items?page=2', 6, /the query is no part of it/],
  ['/files/*.*', 7, /a name that starts with a letter/],
  ['/a*', 2, /no optional or repeated part/],
  ['/:number<float>', 8, /the only kind of value is the whole number, ":name<int>"/],
  ['/:number<int>x', 8, /the only kind of value/],
  ['/<int:number>', 1, /the only kind of value/],
  ['/*path<int>', 6, /the only kind of value/],
  ['/:name.csv', 6, /a parameter is a whole segment, from slash to slash/],
  ['/:from-:to', 6, /a parameter is a whole segment/],
  ['/v:major', 2, /a parameter is a whole segment/],
  ['/a\\:b', 2, /no escapes; match such a segment with a parameter/],
];

for (const [pattern, index, why] of MISTAKES) {
  test(`the mistake in ${JSON.stringify(pattern)} is shown at ${index}, with the remedy`, () => {
    assert.throws(
      () => parsePattern(pattern),
      (error) => {
        assert.ok(error instanceof PatternError);
        assert.match(error.message, why);
        assert.ok(error.message.endsWith(`.\n  ${pattern}\n  ${' '.repeat(index)}^`));
        assert.equal(error.index, index);
        return true;
      },
    );
  });
}
