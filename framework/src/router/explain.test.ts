import assert from 'node:assert/strict';
import test from 'node:test';
import type { Middleware } from '../chain/context.ts';
import { text } from '../http/response.ts';
import { secureHeaders } from '../middleware/secure-headers.ts';
import { loadSession } from '../session/load-session.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import { requireSession } from '../session/require-session.ts';
import { explain } from './explain.ts';
import { createRouter } from './router.ts';

function show() {
  return text('shown');
}
const pass: Middleware = function pass(context, next) {
  return next(context);
};

const router = createRouter()
  .use(secureHeaders())
  .use(loadSession({ store: createMemorySessionStore() }))
  .get('/items', show)
  .post('/items', requireSession, pass, show)
  .get('/items/:number<int>', show)
  .get('/items/:name', () => text('x'))
  .get('/files/a/*rest', show);

/** The reason of each route, or null where it matches. */
const reasons = (method: string, path: string) =>
  explain(router, method, path).routes.map(({ reason }) => reason);

test('every route is there in order, with its parameters or with the reason for the miss', () => {
  const { routes, winner, path, malformed } = explain(router, 'GET', '/items/7?page=2');
  assert.equal(path, '/items/7');
  assert.equal(malformed, null);
  assert.equal(winner, 2);
  assert.deepEqual(
    routes.map(({ pattern }) => pattern),
    router.routes.map(({ pattern }) => pattern),
  );
  assert.deepEqual(
    routes.map(({ matches }) => matches),
    [false, false, true, true, false],
  );
  assert.deepEqual(routes[2]?.params, { number: 7 });
  assert.deepEqual(routes[3]?.params, { name: '7' });
  assert.match(routes[2]?.registeredAt ?? '', /explain\.test\.ts:24:4$/);
});

test('the reason is the method, the number of segments, or the first segment that does not fit', () => {
  assert.deepEqual(reasons('GET', '/items/new'), [
    'the path has 2 segments, the pattern has 1',
    'its method is POST',
    'segment 2, "new", is no whole number from 1 to 2^53 - 1',
    null,
    'the path has 2 segments, the pattern has 3 or more',
  ]);
  assert.equal(reasons('GET', '/tags')[0], 'segment 1 is "tags", the pattern has "items"');
  assert.equal(reasons('GET', '/items/')[3], 'segment 2 is empty');
  assert.equal(reasons('GET', '/files/b/c/d')[4], 'segment 2 is "b", the pattern has "a"');
  assert.equal(reasons('GET', '/')[0], 'segment 1 is "", the pattern has "items"');
  assert.equal(reasons('OPTIONS', '*')[0], 'its method is GET');
  assert.match(String(reasons('GET', '*')[0]), /refused before matching/);
});

test('a reason shows text as it can be typed', () => {
  assert.equal(
    reasons('GET', '/it%20em%25%E2%82%AC')[0],
    'segment 1 is "it%20em%25%E2%82%AC", the pattern has "items"',
  );
});

test('the chain is what would run, with what each element needs and adds', () => {
  assert.deepEqual(explain(router, 'POST', '/items').chain, [
    { name: 'secureHeaders', of: 'router', needs: [], adds: [] },
    { name: 'loadSession', of: 'router', needs: [], adds: ['session', 'flash', 'flashAction'] },
    { name: 'requireSession', of: 'route', needs: ['session'], adds: ['session'] },
    { name: 'pass', of: 'route', needs: null, adds: null },
    { name: 'show', of: 'handler', needs: null, adds: null },
  ]);
  assert.equal(explain(router, 'GET', '/items/new').chain.at(-1)?.name, '');
});

test('without a match there is no winner, and the global chain runs', () => {
  for (const [method, path] of [
    ['PUT', '/items'],
    ['GET', '/nothing'],
    ['POST', '/items/7'],
  ] as const) {
    const { winner, chain } = explain(router, method, path);
    assert.equal(winner, null);
    assert.deepEqual(
      chain.map(({ name }) => name),
      ['secureHeaders', 'loadSession'],
    );
  }
});

test('HEAD is explained as GET', () => {
  assert.equal(explain(router, 'HEAD', '/items').winner, 0);
});

test('a path that is refused matches nothing', () => {
  const { malformed, winner, routes } = explain(router, 'GET', '/items/%zz');
  assert.match(malformed ?? '', /not UTF-8/);
  assert.equal(winner, null);
  assert.ok(
    routes.every(({ matches, reason }) => !matches && /is refused before/.test(`${reason}`)),
  );
});
