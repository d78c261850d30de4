import assert from 'node:assert/strict';
import test from 'node:test';
import { text } from '../../http/response.ts';
import { createRouter } from '../router.ts';
import { describeShadowed, reportShadowed } from './report-shadowed.ts';

const show = () => text('shown');
const never = () => assert.fail('There is nothing to warn of.');

test('an error names both routes, where each was registered, a path that shows it, and the remedy', () => {
  const router = createRouter();
  router.get('/items/:name', show);
  router.get('/items/new', show);
  const [name, fixed] = router.routes.map(({ registeredAt }) => registeredAt);
  assert.match(name ?? '', /report-shadowed\.test\.ts:12:10$/);
  assert.match(fixed ?? '', /report-shadowed\.test\.ts:13:10$/);
  const message = [
    'Cannot reach a route: the routes registered earlier take every path.',
    `  GET /items/new, registered at ${fixed}`,
    '    is never reached, because all its paths, such as /items/new, go to',
    `  GET /items/:name, registered at ${name}`,
    '    Register it before that one, or remove it.',
  ].join('\n');
  assert.throws(() => reportShadowed(router, 'error', never), { message });
});

test('every route that is never reached is in one error', () => {
  const router = createRouter()
    .get('/:x(a|b)', show)
    .get('/a', show)
    .post('/a', show)
    .post('/:y', show)
    .post('/b%', show);
  assert.throws(
    () => reportShadowed(router, 'error', never),
    ({ message }: Error) => {
      assert.match(message, /^Cannot reach 2 routes: /);
      assert.match(
        message,
        /GET \/a, [\s\S]* such as \/a, [\s\S]*POST \/b%, [\s\S]* such as \/b%25, /,
      );
      return true;
    },
  );
});

test('of two routes with one pattern, one is to be removed', () => {
  const router = createRouter().get('/a', show).get('/a', show);
  assert.throws(() => reportShadowed(router, 'error', never), /\n {4}Remove one of the two\.$/);
});

test('all routes that take the paths together are named', () => {
  const router = createRouter().get('/a/:x', show).get('/b/:x', show).get('/:y(a|b)/:z', show);
  assert.throws(
    () => reportShadowed(router, 'error', never),
    /go to\n {2}GET \/a\/:x,.*\n {2}GET \/b\/:x,.*\n {4}Register it before these, or remove it\.$/,
  );
});

test('a route whose pattern matches no path says why', () => {
  const router = createRouter().get('/a', show).get('/a', show).get('/caf(%C3%A9)', show);
  assert.throws(
    () => reportShadowed(router, 'error', never),
    /^Error: Cannot reach 2 routes\.\n[\s\S]*GET \/caf\(%C3%A9\), .*\n {4}matches no path\. A path is decoded/,
  );
});

test('a warning is emitted once, and ignored routes are not reported', () => {
  const router = createRouter().get('/a', show).get('/a', show);
  const said: string[] = [];
  reportShadowed(router, 'warning', (message) => said.push(message));
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /^Cannot reach a route: /);
  reportShadowed(router, 'ignore', never);
});

test('a router without unreachable routes reports nothing', () => {
  const router = createRouter().get('/items/new', show).get('/items/:name', show);
  reportShadowed(router, 'error', never);
  reportShadowed(createRouter(), 'error', never);
});

test('a long list is shortened, and an unknown location is named as such', () => {
  const [route] = createRouter().get('/a', show).routes;
  assert.ok(route);
  const one = { route: { ...route, registeredAt: null }, by: [route], example: '/a' };
  const message = describeShadowed(Array.from({ length: 23 }, () => one));
  assert.match(message, /^Cannot reach 23 routes: /);
  assert.match(message, /GET \/a, registered at a place that is not known\n/);
  assert.match(message, /\n {2}… and 3 more\.$/);
});
