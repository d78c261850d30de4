import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { parseParts } from './parse-parts.ts';
import { parsePlainParts } from './parse-plain-parts.ts';

const SEGMENTS = [
  ...['', 'a', 'b.c', '50%', ':x', ':y', ':z_1', ':number(\\d+)', ':slug([a-z]+)', ':path(a/b)'],
  ...['*', ':q?', '(a)', '{a}', ':empty()', ':é', ':s(a|b)z', 'a:b', ':t(?:a)', ':u((?:a))'],
];
const patterns = fc
  .array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 5 })
  .map((segments) => `/${segments.join('/')}`);

test('parsePlainParts returns the same parts as parseParts, or leaves the pattern to it', () => {
  let short = 0;
  const compare = (pattern: string) => {
    const parts = parsePlainParts(pattern);
    if (parts === null) return;
    short++;
    assert.deepEqual(parts, parseParts(pattern));
  };
  fc.assert(fc.property(patterns, compare), { numRuns: 5_000 });
  assert.ok(short > 500, `only ${short} patterns took the short way`);
});

test('parsePlainParts reads the usual patterns', () => {
  for (const pattern of ['/', '/items', '/items/:number(\\d+)', '/a/:b/c/:d', '/a//b/']) {
    assert.notEqual(parsePlainParts(pattern), null, pattern);
  }
});

test('a repeated name is left to parseParts, which reports its position', () => {
  assert.equal(parsePlainParts('/:id/:id'), null);
});
