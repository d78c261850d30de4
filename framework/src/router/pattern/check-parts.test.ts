import assert from 'node:assert/strict';
import test from 'node:test';
import { parsePattern } from './pattern.ts';

/** Why a pattern is refused, with what stands above the caret from there on. */
function refusalOf(pattern: string): string {
  try {
    parsePattern(pattern);
  } catch (error) {
    const [why = '', source = '', caret = ''] = String(error).split('\n');
    return `${source.slice(caret.indexOf('^'))}: ${why}`;
  }
  return 'none';
}

test('a parameter named __proto__ is refused', () => {
  for (const pattern of ['/:__proto__', '/a/:__proto__(\\d+)/b', '/{:__proto__}?']) {
    assert.match(refusalOf(pattern), /^:?__proto__.*"__proto__"; use another name/);
  }
  assert.deepEqual(parsePattern('/:constructor').match('/x'), { constructor: 'x' });
});

test('dot segments are refused, because clients resolve them', () => {
  const patterns = ['/a/../b', '/./a', '/..', '/a/.', '/:x/..', '/../:x', '/a{/..}?', '/\\../a'];
  for (const pattern of patterns) {
    assert.match(refusalOf(pattern), /resolves "\." and "\.\." .*remove it/, pattern);
  }
  assert.match(refusalOf('/a/../b'), /^\.\.\/b: /);
  for (const pattern of ['/a..', '/...', '/..a', '/.well-known/x', '/:x.:y(\\d)', '/..:x'])
    assert.equal(refusalOf(pattern), 'none', pattern);
});

test('an escape is refused, because a path is decoded before it is matched', () => {
  const advice = {
    '/caf%C3%A9': '%C3%A9: .*write "é" instead of "%C3%A9", or "\\\\%" for a percent sign',
    '/a%20b/:x': '%20b/:x: .*write " " instead of "%20"',
    '/%e2%82%ac{/x}?': '.*write "€" instead of "%e2%82%ac"',
    '/a%2Fb': '%2Fb: .*only a parameter can match an escaped slash',
    '/%ff': '%ff: .*write the character itself instead of "%ff"',
  };
  for (const [pattern, why] of Object.entries(advice))
    assert.match(refusalOf(pattern), new RegExp(why), pattern);
  assert.deepEqual(parsePattern('/100%').match('/100%25'), {});
  assert.deepEqual(parsePattern('/a\\%20').match('/a%2520'), {});
  assert.deepEqual(parsePattern('/:x(%2F|%25)').match('/%2F'), { x: '/' });
});

test('a pattern whose parts are all optional is refused, because it does not match "/"', () => {
  const advice = {
    '/:x?': 'takes no "/"; write "/\\{:x\\}\\?"',
    '/:x(\\d+)?': 'write "/\\{:x\\(\\\\d\\+\\)\\}\\?"',
    '/(\\d+)?': 'write "/\\{\\(\\\\d\\+\\)\\}\\?"',
    '{/:x}?': 'write "/\\{:x\\}\\?"',
    '/*?': 'write "/\\*"',
    '/:x*': 'write "/\\*"',
    '{/a}?': 'no path is empty; remove a "\\?" or "\\*"',
    '{/a}?{/b}*': 'no path is empty',
    '/:x?/:y?': 'no path is empty',
    '{/a:x}?': 'no path is empty',
  };
  for (const [pattern, why] of Object.entries(advice))
    assert.match(refusalOf(pattern), new RegExp(why), pattern);
  for (const pattern of ['/a/:x?', '/:x?/a', '/:x+', '*', '/*', '{/a}?/b', '{/a}+'])
    assert.equal(refusalOf(pattern), 'none', pattern);
  for (const pattern of ['/{:x}?', '/{:x(\\d+)}?', '/*'])
    assert.notEqual(parsePattern(pattern).match('/'), null, pattern);
});

test('a character that needs a backslash between square brackets is named', () => {
  for (const pattern of ['/:x([\\w-]+)', '/:x([a-]+)', '/:x([/]+)', '/:x([..])', '/:x([a|b])'])
    assert.match(refusalOf(pattern), /write "\\-" for a hyphen, and a backslash before/, pattern);
  assert.deepEqual(parsePattern('/:x([\\w\\-]+)').match('/a-b'), { x: 'a-b' });
});
