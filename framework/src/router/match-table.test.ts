import assert from 'node:assert/strict';
import test from 'node:test';
import { createMatchTable, findFirst } from './match-table.ts';
import { parsePattern } from './pattern/pattern.ts';

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
  assert.deepEqual(find(['/a', '/:x', '/*'], '/a'), [0, {}]);
  assert.deepEqual(find(['/:x', '/a', '/*'], '/a'), [0, { x: 'a' }]);
  assert.deepEqual(find(['/*', '/:x', '/a'], '/a'), [0, { '0': 'a' }]);
  assert.deepEqual(find(['/:x(\\d+)', '/*', '/:y'], '/a'), [1, { '0': 'a' }]);
  assert.deepEqual(find(['/a/:x', '/:y/b'], '/a/b'), [0, { x: 'b' }]);
  assert.deepEqual(find(['/:y/b', '/a/:x'], '/a/b'), [0, { y: 'a' }]);
});

test('of two equal patterns the first one wins', () => {
  assert.deepEqual(find(['/b', '/a', '/a'], '/a'), [1, {}]);
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

test('a pattern may have more segments and more parameters than any that is meant', () => {
  const long = '/a'.repeat(40);
  const sources = [`${long}/:x`, long, `${'/a'.repeat(31)}/:x`];
  assert.deepEqual(find(sources, `${long}/b`), [0, { x: 'b' }]);
  assert.deepEqual(find(sources, long), [1, {}]);
  assert.deepEqual(find(sources, '/a'.repeat(32)), [2, { x: 'a' }]);
  assert.equal(find(sources, '/a'.repeat(33)), null);
  for (const count of [31, 32, 33, 40]) {
    const names = Array.from({ length: count }, (_, at) => `/:p${at}`);
    assert.equal(find([names.join('')], '/a'.repeat(count))?.[0], 0);
    assert.equal(find([names.join('')], '/a'.repeat(count + 1)), null);
  }
});

test('a number parameter matches its exact text only', () => {
  const sources = ['/items/:number([1-9]\\d{0,14})'];
  assert.deepEqual(find(sources, '/items/12'), [0, { number: '12' }]);
  const odd = ['0', '-1', '1e3', '01', '9007199254740993', '1'.repeat(400), 'NaN', ' 1', '１'];
  for (const number of odd) assert.equal(find(sources, `/items/${number}`), null, number);
});

test('an 8 KB path of dashes and one of 4000 slashes have no route, or that of the wildcard', () => {
  const sources = ['/:a(\\w+)-:b(\\w+)', '/:slug([a-z]+(?:-[a-z]+)*)', '/:a/:b', '/:path+/x'];
  for (const path of [`/${'a-'.repeat(4096)}`, '/'.repeat(4000)]) {
    assert.equal(find(sources, path), null);
    assert.deepEqual(find([...sources, '/*'], path), [4, { '0': path.slice(1) }]);
  }
});
