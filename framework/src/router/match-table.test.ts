import assert from 'node:assert/strict';
import test from 'node:test';
import { createMatchTable, findFirst } from './match-table.ts';
import { parsePattern } from './pattern.ts';

const toEntries = (sources: readonly string[]) =>
  sources.map((source, index) => ({ index, pattern: parsePattern(source) }));

/** What the table finds, after it was held against the plain walk. */
function find(sources: readonly string[], path: string) {
  const entries = toEntries(sources);
  const found = createMatchTable(entries).find(path);
  assert.deepEqual(found, findFirst(entries, path));
  return found && [found.index, found.params];
}

test('the first of several that match wins, whatever kind each is', () => {
  assert.deepEqual(find(['/a', '/:x', '/*r'], '/a'), [0, {}]);
  assert.deepEqual(find(['/:x', '/a', '/*r'], '/a'), [0, { x: 'a' }]);
  assert.deepEqual(find(['/*r', '/:x', '/a'], '/a'), [0, { r: 'a' }]);
  assert.deepEqual(find(['/:x<int>', '/*r', '/:y'], '/a'), [1, { r: 'a' }]);
  assert.deepEqual(find(['/:x', '/:n<int>', '/7'], '/7'), [0, { x: '7' }]);
  assert.deepEqual(find(['/:n<int>', '/:x', '/7'], '/7'), [0, { n: 7 }]);
  assert.deepEqual(find(['/a/:x', '/:y/b'], '/a/b'), [0, { x: 'b' }]);
  assert.deepEqual(find(['/:y/b', '/a/:x'], '/a/b'), [0, { y: 'a' }]);
});

test('an empty table and a path without a route find nothing', () => {
  for (const path of ['/', '', '*', '/a', '//']) {
    assert.equal(find([], path), null);
    assert.equal(find(['/a/b'], path), null);
  }
});

test('a table keeps no state between look-ups', () => {
  const { find: ask } = createMatchTable(toEntries(['/:x/:y', '/:x']));
  assert.deepEqual(ask('/a%2Fb/c')?.params, { x: 'a/b', y: 'c' });
  assert.deepEqual(ask('/a')?.params, { x: 'a' });
  assert.equal(ask('/a/b/c'), null);
});

test('texts that are prefixes of others lead to different routes', () => {
  const sources = ['/a/:x/c', '/a/b/:y', '/:z/b/d', '/a/b/:y/e', '/a/:x/', '/ab/:x', '/a%/:x'];
  assert.deepEqual(find(sources, '/a/b/c'), [0, { x: 'b' }]);
  assert.deepEqual(find(sources, '/a/b/d'), [1, { y: 'd' }]);
  assert.deepEqual(find(sources, '/b/b/d'), [2, { z: 'b' }]);
  assert.deepEqual(find(sources, '/a/b/d/e'), [3, { y: 'd' }]);
  assert.deepEqual(find(sources, '/a/b/'), [4, { x: 'b' }]);
  assert.deepEqual(find(sources, '/ab/b'), [5, { x: 'b' }]);
  assert.deepEqual(find(sources, '/a%25/b'), [6, { x: 'b' }]);
  for (const path of ['/a/b', '/a/b/c/', '/a//d', '/abc/b'])
    assert.equal(find(sources, path), null);
});

test('a pattern may have any number of segments and parameters', () => {
  const long = '/a'.repeat(40);
  const sources = [`${long}/:x`, long, `${'/a'.repeat(31)}/:x`];
  assert.deepEqual(find(sources, `${long}/b`), [0, { x: 'b' }]);
  assert.deepEqual(find(sources, long), [1, {}]);
  assert.deepEqual(find(sources, '/a'.repeat(32)), [2, { x: 'a' }]);
  assert.equal(find(sources, '/a'.repeat(33)), null);
  const names = Array.from({ length: 40 }, (_, at) => `/:p${at}`);
  assert.equal(find([names.join('')], '/a'.repeat(40))?.[0], 0);
  assert.equal(find([names.join('')], '/a'.repeat(41)), null);
});

test('many routes are all found', () => {
  const sources = Array.from({ length: 2000 }, (_, at) => `/r${at}/:id<int>`);
  const table = createMatchTable(toEntries(sources));
  for (let at = 0; at < 2000; at++)
    assert.deepEqual(table.find(`/r${at}/7`), { index: at, params: { id: 7 } });
  assert.equal(table.find('/r2000/7'), null);
});
