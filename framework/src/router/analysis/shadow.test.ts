import assert from 'node:assert/strict';
import test from 'node:test';
import { text } from '../../http/response.ts';
import { readTarget } from '../../http/target.ts';
import { createRouter } from '../router.ts';
import { toTypedPath } from './sample-path.ts';
import { findShadowed, type RouteList, reachRoute } from './shadow.ts';

/** Routes written as `POST /items`; without a method they are GET. */
function list(...lines: readonly string[]): RouteList {
  const router = createRouter();
  for (const line of lines) {
    const [, method = 'GET', pattern = ''] = /^(?:(GET|POST) )?(.*)$/s.exec(line) ?? [];
    router.register(method === 'POST' ? 'POST' : 'GET', pattern, [], () => text(line));
  }
  return router;
}

/** The pattern that is never reached, those that take its paths, and the example. */
function shadowed(...lines: readonly string[]) {
  return findShadowed(list(...lines)).map(({ route, by, example }) => [
    route.pattern,
    by.map(({ pattern }) => pattern),
    example,
  ]);
}

test('the second of two equal routes is unreachable', () => {
  assert.deepEqual(shadowed('/items', '/items'), [['/items', ['/items'], '/items']]);
  assert.deepEqual(shadowed('/:a/:b', '/:c/:d'), [['/:c/:d', ['/:a/:b'], '/c/d']]);
  assert.deepEqual(shadowed('POST /a', 'POST /a', 'POST /a').length, 2);
});

test('a literal path after a parameter that matches it is unreachable', () => {
  assert.deepEqual(shadowed('/items/:name', '/items/new'), [
    ['/items/new', ['/items/:name'], '/items/new'],
  ]);
  assert.deepEqual(shadowed('/items/new', '/items/:name'), []);
});

test('a parameter after a narrower one is reached, and one after a wider one is not', () => {
  assert.deepEqual(shadowed('/items/:n(\\d+)', '/items/:name'), []);
  assert.deepEqual(shadowed('/:word([a-z]+)', '/:short([a-c]{1,3})'), [
    ['/:short([a-c]{1,3})', ['/:word([a-z]+)'], '/a'],
  ]);
  assert.deepEqual(shadowed('/:word(\\p{L}+)', '/:upper(\\p{Lu}+)').length, 1);
});

test('a route with another method shadows nothing', () => {
  assert.deepEqual(shadowed('/items', 'POST /items', 'POST /:any', '/items/:n', '/*'), []);
});

test('several earlier routes may take all paths only together', () => {
  const halves = ['/:a(\\d[^\\/]*)', '/:b(\\D[^\\/]*)'];
  assert.deepEqual(shadowed(...halves, '/:c'), [['/:c', halves, '/c']]);
  assert.deepEqual(shadowed('/:a(\\d+)', '/:b(\\D[\\s\\S]*)', '/:c'), [], '/1a is left');
  assert.deepEqual(shadowed('/a/:x', '/b/:x', '/:y(a|b)/1'), [
    ['/:y(a|b)/1', ['/a/:x', '/b/:x'], '/a/1'],
  ]);
});

test('only necessary earlier routes are named', () => {
  assert.deepEqual(shadowed('/c', '/cc', '/:any', '/:c'), [['/:c', ['/:any'], '/c']]);
});

test('a path without the optional part counts', () => {
  const pattern = '/items/:number?';
  assert.deepEqual(shadowed(pattern, '/items'), [['/items', [pattern], '/items']]);
  assert.deepEqual(shadowed(pattern, '/items/7'), [['/items/7', [pattern], '/items/7']]);
  assert.deepEqual(shadowed('/items', '/items/:number', pattern), [
    [pattern, ['/items', '/items/:number'], '/items'],
  ]);
  assert.deepEqual(shadowed('/items', pattern), []);
});

test('a wildcard hides all later routes below it', () => {
  assert.deepEqual(shadowed('*', '/x', '/:a/:b').length, 2);
  assert.deepEqual(shadowed('/files/*', '/files/:name+', '/files').length, 1);
  assert.deepEqual(shadowed('/x', '/:a/:b', '*'), []);
});

test('text that no path can have does not make a route reachable', () => {
  // "%" stands in a path as %25 or in %2F only, and no path holds a NUL.
  assert.deepEqual(shadowed('/:a(%25|%2F|[^%])', '/:b(.|%25|%2F|\\s)').length, 1);
  assert.deepEqual(shadowed('/:a([^\\0])', '/:b([^])').length, 1);
  assert.deepEqual(shadowed('/:a([^%])', '/:b([^]|%25)'), []);
});

test('a pattern that matches no path is never reached', () => {
  for (const pattern of ['/caf(%C3%A9)', '/:a(\\n+)/b', '/:a([^\\x20-\\u{10ffff}])', '/:a([])'])
    assert.deepEqual(shadowed('/a', pattern), [[pattern, [], null]]);
  assert.deepEqual(shadowed('/caf(é|%C3%A9)'), []);
});

test('an example path is escaped so that it can be typed', () => {
  for (const pattern of [
    '/100%',
    '/café/:a',
    '/a b\\?',
    '/:x(\\s)',
    '/:y(%2F|%25)',
    '/a#\\?"\\\\b',
  ]) {
    const [found] = findShadowed(list(pattern, pattern));
    assert.ok(found, pattern);
    const typed = toTypedPath(found.example ?? '');
    assert.match(typed, /^[\w/%:-]+$/);
    const { path, malformed } = readTarget(typed, undefined);
    assert.deepEqual([path, malformed], [found.example, null]);
  }
});

test('a route that is reached has a path that leads to it', () => {
  assert.deepEqual(reachRoute(list('/:a(a|b|c)', '/:b'), 1), { kind: 'reached', path: '/2' });
});

test('a route that cannot be decided within the budget is not reported', () => {
  const routes = list('/:a(\\d[^\\/]*)', '/:b(\\D[^\\/]*)', '/:c');
  assert.equal(findShadowed(routes).length, 1);
  assert.equal(findShadowed(routes, undefined, { each: 3, all: 1_000 }).length, 0);
  assert.equal(findShadowed(routes, undefined, { each: 1_000, all: 3 }).length, 0);
  const large = list(`/${'x'.repeat(400)}/:a`, `/${'x'.repeat(400)}/:b`);
  assert.equal(findShadowed(large).length, 0);
});

test('10,000 routes take few moves, whether they are reached or not', () => {
  const many = (first: string) =>
    list(first, ...Array.from({ length: 9_999 }, (_, at) => `/r${at}/:id(\\d+)/edit`));
  // A route that is the last to be looked at and never reached is found: the moves have sufficed.
  for (const first of ['/x', '/r9998/*'])
    assert.equal(
      findShadowed(many(first), undefined, { each: 1_000, all: 10_000 }).length,
      first === '/x' ? 0 : 1,
    );
});
