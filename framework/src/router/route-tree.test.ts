import assert from 'node:assert/strict';
import test from 'node:test';
import { parsePattern } from './pattern/pattern.ts';
import { RouteTree } from './route-tree.ts';

function createTree(...sources: readonly string[]) {
  const tree = new RouteTree(
    sources.map((source, index) => {
      const { names, segments } = parsePattern(source);
      return { index, names, segments: segments ?? [] };
    }),
  );
  return (path: string, below = Infinity) => {
    const found = tree.find(path, below);
    return found && [found.index, found.params];
  };
}

test('a route is found by its literal segments', () => {
  const find = createTree('/items/:number', '/tags/:name');
  assert.deepEqual(find('/tags/a'), [1, { name: 'a' }]);
  assert.deepEqual(find('/items/7'), [0, { number: '7' }]);
  for (const path of ['/item/7', '/itemss/7', '/items', '/items/', '/items/7/', '/', '', '*'])
    assert.equal(find(path), null, path);
});

test('text that is not a path has no route', () => {
  const find = createTree('/:a');
  for (const text of ['', '*', 'ab']) assert.equal(find(text), null);
});

test('texts that are prefixes of others are all tried, and the first route wins', () => {
  const find = createTree('/a/:x/c', '/a/b/:y', '/:z/b/d', '/a/b/:y/e');
  assert.deepEqual(find('/a/b/c'), [0, { x: 'b' }]);
  assert.deepEqual(find('/a/b/d'), [1, { y: 'd' }]);
  assert.deepEqual(find('/b/b/d'), [2, { z: 'b' }]);
  assert.deepEqual(find('/a/b/d/e'), [3, { y: 'd' }]);
  assert.deepEqual(createTree('/:z/b/d', '/a/b/:y')('/a/b/d'), [0, { z: 'a' }]);
});

test('one route can end in literal text where others continue', () => {
  const find = createTree('/a/:x/b', '/a/:x/b/:y', '/a/:x/');
  assert.deepEqual(find('/a/1/b'), [0, { x: '1' }]);
  assert.deepEqual(find('/a/1/b/2'), [1, { x: '1', y: '2' }]);
  assert.deepEqual(find('/a/1/'), [2, { x: '1' }]);
  for (const path of ['/a/1', '/a/1/b/', '/a/1/c', '/a//b']) assert.equal(find(path), null, path);
});

test('routes with the same texts differ by their tests, in order', () => {
  const find = createTree('/:a(\\d+)', '/:b([a-z]+)', '/:c');
  assert.deepEqual(find('/7'), [0, { a: '7' }]);
  assert.deepEqual(find('/x'), [1, { b: 'x' }]);
  assert.deepEqual(find('/-'), [2, { c: '-' }]);
  assert.equal(find('/-', 2), null);
});

test('a parameter without a test refuses the empty text, one with a test decides by its test', () => {
  assert.equal(createTree('/a/:b')('/a/'), null);
  assert.deepEqual(createTree('/a/:b(\\d*)')('/a/'), [0, { b: '' }]);
  assert.deepEqual(createTree('/a/:b(\\d*)/c')('/a//c'), [0, { b: '' }]);
});

test('parameters of one path have their escapes decoded, and the next path is not affected', () => {
  const find = createTree('/:a/:b');
  assert.deepEqual(find('/x%2Fy/100%25'), [0, { a: 'x/y', b: '100%' }]);
  assert.deepEqual(find('/x/y'), [0, { a: 'x', b: 'y' }]);
});

test('texts that differ in any character lead to different routes', () => {
  const texts = ['a', 'b', 'é', 'ɡ', '\u8061', 'aé', 'aa', 'a-', '日本', '日木', '😀', '😁'];
  const find = createTree(...texts.map((text) => `/${text}/:id`));
  for (const [at, text] of texts.entries()) assert.deepEqual(find(`/${text}/x`), [at, { id: 'x' }]);
  for (const text of ['q', 'è', '日', '😂', 'ab']) assert.equal(find(`/${text}/x`), null, text);
});

test('many routes are all found', () => {
  const find = createTree(...Array.from({ length: 2000 }, (_, at) => `/r${at}/:id`));
  for (let at = 0; at < 2000; at++) assert.deepEqual(find(`/r${at}/x%2Fy`), [at, { id: 'x/y' }]);
  assert.equal(find('/r2000/x'), null);
});
