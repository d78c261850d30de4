/** Held against the standard's own matcher, which Node has. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { readTarget } from '../../http/target.ts';
import { parsePattern } from './pattern.ts';
import { PatternError } from './pattern-error.ts';

function theirs(pattern: string, path: string) {
  return new URLPattern({ pathname: pattern }).exec({ pathname: path })?.pathname.groups ?? null;
}

function ours(pattern: string, target: string) {
  return parsePattern(pattern).match(readTarget(target, undefined).path);
}

function assertSame(pattern: string, path: string): void {
  const found = theirs(pattern, path);
  assert.deepEqual({ ...ours(pattern, path) }, { ...found }, `${pattern} on ${path}`);
  assert.equal(ours(pattern, path) === null, found === null, `${pattern} on ${path}`);
}

const PATTERNS = [
  ...['/', '/a', '/a/b', '/:x', '/:x/', '/:x/:y', '/a/:x', '/:x(\\d+)', '/:x(a|b)/b', '/(\\d+)'],
  ...[
    '/*',
    '/a/*',
    '/*/b',
    '/:x?/b',
    '/a/:x?',
    '/:x+',
    '/:x*/b',
    '/a/:x*/b',
    '/:x(\\d)+',
    '/a/:x(a)*',
  ],
  ...[
    '/{a}',
    '/a{b}?',
    '/{a/}*b',
    '{/:x}?/b',
    '/{:x}?',
    '/a{-:x}?',
    '/{:x(\\d)-}*1',
    '/a{/*}?',
    '/:x(a*)',
  ],
  ...['/\\:a', '/a\\*', '/:x(\\d)-:y(\\d)', '/(.*)', '/:x(.*)/b', '/:x([^\\/]*)', '*', '/a:x'],
];
const PATHS = ['/', '/a', '/b', '/a/', '/a/b', '/1', '/12', '/1/2', '/a/b/b', '/ab', '//', '//a'];
PATHS.push('/:a', '/a*', '/a-1', '/1-2', '/1-1', '/a/a/b', '/a/1/', '/A', '/aa', '/a/a/a/b');

test('patterns of every kind match the same paths with the same parameters', () => {
  for (const pattern of PATTERNS) for (const path of PATHS) assertSame(pattern, path);
});

test('generated patterns match the same paths with the same parameters', () => {
  const steps = ['/a', '/b', '/', '/:#', '/:#(\\d+)', '/:#([ab]+)', '/*', '/(a|b)', '/:#?', '/:#*'];
  steps.push('{/a}?', '{/:#}?', '{b}*', '/:#(a|b)+', '/a:#', '{-:#(\\d)}*', '-', '/\\*', '/:#(a)?');
  const pattern = fc
    .array(fc.constantFrom(...steps), { minLength: 1, maxLength: 4 })
    .map((list) => {
      let names = 0;
      return list.join('').replaceAll('#', () => `p${names++}`);
    });
  const segment = fc.constantFrom('a', 'b', 'ab', '1', '12', '', 'a-1', '*', 'aa', 'b-');
  const path = fc.array(segment, { maxLength: 4 }).map((list) => `/${list.join('/')}`);
  let compared = 0;
  fc.assert(
    fc.property(pattern, fc.array(path, { minLength: 5, maxLength: 10 }), (source, paths) => {
      try {
        parsePattern(source);
      } catch (error) {
        assert.ok(error instanceof PatternError);
        assert.match(error.message, /divide|starts with|are optional|is left out/);
        return;
      }
      for (const one of paths) assertSame(source, one);
      compared += paths.length;
    }),
    { numRuns: 1_500 },
  );
  assert.ok(compared > 4_000, `only ${compared} were compared`);
});

test('a pattern that the standard refuses is refused here too', () => {
  for (const pattern of ['/{a', '/a}', '/:', '/:x()', '/:x((a))', '/a?', '/:x/:x', '/:x(+)']) {
    assert.throws(() => new URLPattern({ pathname: pattern }), pattern);
    assert.throws(() => parsePattern(pattern), PatternError, pattern);
  }
});

test('different on purpose: a parameter is decoded', () => {
  assert.deepEqual(theirs('/:x', '/caf%C3%A9')?.['x'], 'caf%C3%A9');
  assert.deepEqual(ours('/:x', '/caf%C3%A9'), { x: 'café' });
  assert.deepEqual(ours('/:x', '/a%2Fb'), { x: 'a/b' });
});

test('different on purpose: the path is decoded before it is matched', () => {
  assert.equal(theirs('/account', '/%61ccount'), null);
  assert.deepEqual(ours('/account', '/%61ccount'), {});
  assert.equal(theirs('/:x(\\w)', '/%41'), null);
  assert.deepEqual(ours('/:x(\\w)', '/%41'), { x: 'A' });
});

test('different on purpose: a percent sign in a pattern stands for itself', () => {
  assert.notEqual(theirs('/a%25', '/a%25'), null);
  assert.throws(() => parsePattern('/a%25'), /decoded before it is matched/);
  assert.deepEqual(ours('/a%', '/a%25'), {});
});

test('different on purpose: a pattern that matches the empty path, or a dot segment, is refused', () => {
  for (const pattern of ['/:x?', '{/a}*']) {
    assert.equal(theirs(pattern, '/'), null);
    assert.throws(() => parsePattern(pattern), /left out|optional/);
  }
  assert.equal(new URLPattern({ pathname: '/a/../b' }).pathname, '/b');
  assert.throws(() => parsePattern('/a/../b'), /resolves/);
});

test('different on purpose: dots in a path are not resolved', () => {
  assert.equal(theirs('/*', '/a/../b')?.['0'], 'b');
  assert.deepEqual(ours('/*', '/a/../b'), { '0': 'a/../b' });
});

test('different on purpose: an expression may contain letters of any language', () => {
  assert.throws(() => new URLPattern({ pathname: '/:x(é)' }));
  assert.deepEqual(ours('/:x(é)', '/%C3%A9'), { x: 'é' });
});

test('different on purpose: a pattern starts with a slash', () => {
  assert.notEqual(theirs('items', 'items'), null);
  assert.throws(() => parsePattern('items'), /start the pattern with it/);
});

test('different on purpose: what can take more than linear time is refused', () => {
  for (const pattern of ['/:x-:y', '/*/*', '/:x((?:a+)+)']) {
    assert.ok(new URLPattern({ pathname: pattern }));
    assert.throws(() => parsePattern(pattern), /linear time/);
  }
});

test('different on purpose: look-around is refused', () => {
  assert.notEqual(theirs('/:x((?=a)a)', '/a'), null);
  assert.throws(() => parsePattern('/:x((?=a)a)'), /look-around/);
});
