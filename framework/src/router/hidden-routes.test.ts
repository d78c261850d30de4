import assert from 'node:assert/strict';
import test from 'node:test';
import { text } from '../http/response.ts';
import { readTarget, toTypedPath } from '../http/target.ts';
import { describeHidden, findHidden, type RouteList, reportHidden } from './hidden-routes.ts';
import { createRouter } from './router.ts';

const show = () => text('shown');
const never = () => assert.fail('There is nothing to warn of.');

/** Routes written as `POST /items`; without a method they are GET. */
function list(...lines: readonly string[]): RouteList {
  const router = createRouter();
  for (const line of lines) {
    const [, method, pattern = ''] = /^(?:(POST) )?(.*)$/s.exec(line) ?? [];
    router.register(method === 'POST' ? 'POST' : 'GET', pattern, [], show);
  }
  return router;
}

/** The patterns that are never reached, each with the one that takes its paths and the example. */
function hidden(...lines: readonly string[]) {
  return findHidden(list(...lines)).map(({ route, by, example }) => [
    route.pattern,
    by.pattern,
    example,
  ]);
}

test('the second of two equal routes is unreachable', () => {
  assert.deepEqual(hidden('/items', '/items'), [['/items', '/items', '/items']]);
  assert.deepEqual(hidden('/:a/:b', '/:c/:d'), [['/:c/:d', '/:a/:b', '/c/d']]);
  assert.deepEqual(hidden('POST /a', 'POST /a', 'POST /a').length, 2);
});

test('a route after a wider one is unreachable, and one after a narrower one is not', () => {
  assert.deepEqual(hidden('/items/:name', '/items/new'), [
    ['/items/new', '/items/:name', '/items/new'],
  ]);
  assert.deepEqual(hidden('/:x', '/:n<int>'), [['/:n<int>', '/:x', '/1']]);
  assert.deepEqual(hidden('/:n<int>', '/7', '/x'), [['/7', '/:n<int>', '/7']]);
  assert.deepEqual(hidden('/items/new', '/items/1', '/items/:n<int>', '/items/:name'), []);
});

test('a wildcard hides all later routes below it', () => {
  assert.deepEqual(hidden('/*r', '/x', '/:a/:b').length, 2);
  assert.deepEqual(hidden('/files/*r', '/files/:name', '/files/a/*r', '/files').length, 2);
  assert.deepEqual(hidden('/x', '/', '/:a', '/:a/', '/:a/:b', '/:a/*r', '/*r'), []);
});

test('a literal with the name of a parameter hides nothing else', () => {
  assert.deepEqual(hidden('/:a/name', '/name', '/name-', '/:name', '/1', '/2/:n<int>'), [
    ['/1', '/:name', '/1'],
  ]);
});

test('a route with another method hides nothing', () => {
  assert.deepEqual(hidden('/items', 'POST /items', 'POST /:any', '/items/:n', '/*r'), []);
});

test('an example path is escaped so that it can be typed', () => {
  for (const pattern of ['/100%', '/café/:a', '/a b', '/a#"b']) {
    const [found] = findHidden(list(pattern, pattern));
    assert.ok(found, pattern);
    const typed = toTypedPath(found.example);
    assert.match(typed, /^[\w/%:-]+$/);
    const { path, malformed } = readTarget(typed, undefined);
    assert.deepEqual([path, malformed], [found.example, null]);
  }
});

test('an error names both routes, where each was registered, a path that shows it, and the remedy', () => {
  const router = createRouter();
  router.get('/items/:name', show);
  router.get('/items/new', show);
  const [name, fixed] = router.routes.map(({ registeredAt }) => registeredAt);
  assert.match(name ?? '', /hidden-routes\.test\.ts:\d+:10$/);
  const message = [
    'Cannot reach a route: the routes registered earlier take every path.',
    `  GET /items/new, registered at ${fixed}`,
    '    is never reached, because all its paths, such as /items/new, go to',
    `  GET /items/:name, registered at ${name}`,
    '    Register it before that one, or remove it.',
  ].join('\n');
  assert.throws(() => reportHidden(router, 'error', never), { message });
});

test('every route that is never reached is in one error', () => {
  const routes = list('/:x', '/a', 'POST /a', 'POST /:y', 'POST /b%');
  assert.throws(
    () => reportHidden(routes, 'error', never),
    ({ message }: Error) => {
      assert.match(message, /^Cannot reach 2 routes: /);
      assert.match(
        message,
        /GET \/a, [\s\S]* such as \/a, [\s\S]*POST \/b%, .*\n.* such as \/b%25, /,
      );
      return true;
    },
  );
});

test('of two routes with one pattern, one is to be removed', () => {
  assert.throws(
    () => reportHidden(list('/a', '/a'), 'error', never),
    /\n {4}Remove one of the two\.$/,
  );
});

test('a warning is emitted once, and ignored routes are not reported', () => {
  const routes = list('/a', '/a');
  const said: string[] = [];
  reportHidden(routes, 'warning', (message) => said.push(message));
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /^Cannot reach a route: /);
  reportHidden(routes, 'ignore', never);
});

test('a long list is shortened, and an unknown location is named as such', () => {
  const [route] = list('/a').routes;
  assert.ok(route);
  const one = { route: { ...route, registeredAt: null }, by: route, example: '/a' };
  const message = describeHidden(Array.from({ length: 23 }, () => one));
  assert.match(message, /^Cannot reach 23 routes: /);
  assert.match(message, /GET \/a, registered at a place that is not known\n/);
  assert.match(message, /\n {2}… and 3 more\.$/);
});
