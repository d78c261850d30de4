import assert from 'node:assert/strict';
import test from 'node:test';
import { parsePattern } from './pattern/pattern.ts';
import { scanSegments } from './scan-segments.ts';
import { Shape } from './segment-shape.ts';

function createShape(...sources: readonly string[]) {
  const shape = new Shape(
    sources.map((source, index) => {
      const { names, segments } = parsePattern(source);
      return { index, names, segments: segments ?? [] };
    }),
  );
  return (path: string, best = Infinity) => {
    if (scanSegments(path, shape.length) !== shape.length) return null;
    const index = shape.find(path, best);
    return index === -1 ? null : [index, shape.params(path)];
  };
}

test('a route is found by its literal segments', () => {
  const find = createShape('/items/:number', '/tags/:name');
  assert.deepEqual(find('/tags/a'), [1, { name: 'a' }]);
  assert.deepEqual(find('/items/7'), [0, { number: '7' }]);
  assert.equal(find('/item/7'), null);
  assert.equal(find('/itemss/7'), null);
});

test('routes with the same literals are told apart by their tests, in order', () => {
  const find = createShape('/:a(\\d+)', '/:b([a-z]+)', '/:c');
  assert.deepEqual(find('/7'), [0, { a: '7' }]);
  assert.deepEqual(find('/x'), [1, { b: 'x' }]);
  assert.deepEqual(find('/-'), [2, { c: '-' }]);
  assert.equal(find('/-', 2), null);
});

test('a parameter without a test takes nothing empty, one with a test what its test takes', () => {
  assert.equal(createShape('/a/:b')('/a/'), null);
  assert.deepEqual(createShape('/a/:b(\\d*)')('/a/'), [0, { b: '' }]);
});

test('many routes of one shape are all found', () => {
  const find = createShape(...Array.from({ length: 2000 }, (_, at) => `/r${at}/:id`));
  for (let at = 0; at < 2000; at++) assert.deepEqual(find(`/r${at}/x%2Fy`), [at, { id: 'x/y' }]);
  assert.equal(find('/r2000/x'), null);
});
