import assert from 'node:assert/strict';
import test from 'node:test';
import type { Middleware } from '../chain/context.ts';
import { HttpError } from '../http/http-error.ts';
import { type Response, text } from '../http/response.ts';
import { get, post, request } from '../testing/make-request.ts';
import { bodyText } from '../testing/visitor.ts';
import type { Route } from './route.ts';
import { createRouter } from './router.ts';

const say = (words: string) => () => text(words);

async function bodyOf(answer: Response | Promise<Response>): Promise<string> {
  return bodyText(await answer);
}

test('a route registered first wins over a later one that matches too', async () => {
  const router = createRouter({ shadowedRoutes: 'ignore' })
    .get('/items/new', say('new'))
    .get('/items/:number', say('first'))
    .get('/items/:id', say('second'))
    .get('/items/old', say('old'));
  assert.equal(await bodyOf(router.handle(get('/items/new'))), 'new');
  assert.equal(await bodyOf(router.handle(get('/items/7'))), 'first');
  assert.equal(await bodyOf(router.handle(get('/items/old'))), 'first');
});

test('method and pattern both must match', async () => {
  const router = createRouter().get('/items', say('list')).post('/items', say('create'));
  assert.equal(await bodyOf(router.handle(get('/items'))), 'list');
  assert.equal(await bodyOf(router.handle(post('/items'))), 'create');
  assert.equal((await router.handle(post('/items/7'))).status, 404);
});

test('a request that no route matches is answered with a plain-text 404', async () => {
  const { status, headers, body } = await createRouter()
    .get('/items', say('list'))
    .handle(get('/favicon.ico'));
  assert.equal(status, 404);
  assert.deepEqual(headers, { 'Content-Type': 'text/plain; charset=utf-8' });
  assert.match(String(body), /^Not found/);
});

test('a path that only another method serves is a 404 too', async () => {
  const router = createRouter().get('/items', say('list')).post('/logout', say('bye'));
  assert.equal((await router.handle(post('/items'))).status, 404);
  assert.equal((await router.handle(get('/logout'))).status, 404);
  for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'get', 'Post', '']) {
    assert.equal((await router.handle(request(method, '/items', null))).status, 404, method);
  }
});

test('HEAD is served by the GET route', async () => {
  const router = createRouter()
    .post('/items', say('create'))
    .get('/items', ({ request }) => text(request.method));
  assert.deepEqual(await router.handle(request('HEAD', '/items', null)), text('HEAD'));
});

test('matching is case-sensitive, and a trailing slash counts', async () => {
  const router = createRouter().get('/items', say('list'));
  for (const target of ['/Items', '/ITEMS', '/items/', '//items', '/./items', '/x/../items']) {
    assert.equal((await router.handle(get(target))).status, 404, target);
  }
});

test('a malformed escape is refused with 400', () => {
  const router = createRouter().get('/items/:name', say('item'));
  for (const target of ['/items/%', '/items/%zz', '/items/%ff', '/items/%c0%af']) {
    assert.throws(
      () => router.handle(get(target)),
      (error) => error instanceof HttpError && error.status === 400 && /UTF-8/.test(error.message),
    );
  }
});

test('a control character in the path is refused with 400', () => {
  const router = createRouter().get('/items/:name', say('item'));
  assert.throws(() => router.handle(get('/items/a%0D%0Ab')), { status: 400, message: /control/ });
});

test('OPTIONS * is answered with 204, and other methods with * are refused', async () => {
  const router = createRouter().get('/*rest', say('all'));
  assert.equal((await router.handle(request('OPTIONS', '*', null))).status, 204);
  assert.equal((await router.handle(request('OPTIONS', '/', null))).status, 404);
  assert.throws(() => router.handle(get('*')), { status: 400 });
});

test('parameters are on the context, decoded once', async () => {
  const router = createRouter().get('/:collection/:number', ({ params }) =>
    text(`${params.collection} ${params.number}`),
  );
  assert.equal(await bodyOf(router.handle(get('/caf%C3%A9%2520/0%37'))), 'café%20 07');
});

test('the routes are an ordered list, as data', () => {
  const pass: Middleware = (context, next) => next(context);
  const [list, create] = [say('list'), say('create')];
  const router = createRouter().get('/items', list).post('/items', pass, create);
  const rest = { pattern: '/items', acceptsCrossOrigin: false };
  assert.deepEqual(withoutPlaces(router.routes), [
    { name: 'GET /items', method: 'GET', middleware: [], handler: list, ...rest },
    { name: 'POST /items', method: 'POST', middleware: [pass], handler: create, ...rest },
  ]);
});

/** Routes without the place that registered each. */
function withoutPlaces(routes: readonly Route[]) {
  return routes.map(({ registeredAt: _, ...route }) => route);
}

test('register is the same as get and post', async () => {
  const pass: Middleware = (context, next) => next(context);
  const [show, create] = [say('show'), say('create')];
  const long = createRouter()
    .register('GET', '/items/:number', [pass], show)
    .register('POST', '/items', [], create);
  const short = createRouter().get('/items/:number', pass, show).post('/items', create);
  assert.deepEqual(withoutPlaces(long.routes), withoutPlaces(short.routes));
  assert.equal(await bodyOf(long.handle(get('/items/7'))), 'show');
  assert.equal(await bodyOf(long.handle(post('/items'))), 'create');
});

test('a pattern that cannot be read is refused when the route is registered', () => {
  assert.throws(
    () => createRouter().get('/items/{' as string, say('x')),
    /^PatternError: Cannot read the/,
  );
});

/** Notes when it is entered and left. */
function trace(name: string, steps: string[]): Middleware {
  return async (context, next) => {
    steps.push(`into ${name}`);
    const response = await next(context);
    steps.push(`out of ${name}`);
    return response;
  };
}

test('use appends to the global chain: it runs in order of registration, before the middleware of the route', async () => {
  const steps: string[] = [];
  const router = createRouter()
    .use(trace('first', steps))
    .use(trace('second', steps))
    .get('/', trace('own', steps), trace('own too', steps), () => {
      steps.push('handler');
      return text('x');
    });
  await router.handle(get('/'));
  assert.deepEqual(steps, [
    'into first',
    'into second',
    'into own',
    'into own too',
    'handler',
    'out of own too',
    'out of own',
    'out of second',
    'out of first',
  ]);
});

test('global middleware runs for every request, matched or not', async () => {
  const seen: string[] = [];
  const note: Middleware = (context, next) => {
    const { request, route } = context;
    seen.push(
      `${request.path} ${route === null ? 'no route' : `${route.method} ${route.pattern}`}`,
    );
    return next(context);
  };
  const router = createRouter().use(note).get('/items/:number', say('item'));
  await router.handle(get('/items/7'));
  await router.handle(get('/nowhere'));
  await router.handle(post('/items/7'));
  assert.throws(() => router.handle(get('/%zz')), HttpError);
  assert.deepEqual(seen, [
    '/items/7 GET /items/:number',
    '/nowhere no route',
    '/items/7 no route',
    '/%zz no route',
  ]);
});

test('use after a route was registered is an error that names both and says what to do', () => {
  const router = createRouter().get('/items', say('x'));
  const late: Middleware = (context, next) => next(context);
  assert.throws(
    () => router.use(late),
    /^Error: Cannot use "late" after the route GET \/items was registered, at \S+router\.test\.ts:\d+:\d+: .+ Call use before the first route, or pass the middleware to the routes that need it\.$/,
  );
  const [nameless]: Middleware[] = [(context, next) => next(context)];
  assert.throws(() => router.use(nameless ?? late), /a middleware without a name/);
  assert.deepEqual(router.middleware, []);
});

test('global middleware can be added after a first request', async () => {
  const steps: string[] = [];
  const router = createRouter();
  await router.handle(get('/'));
  router.use(trace('late', steps));
  await router.handle(get('/'));
  assert.deepEqual(steps, ['into late', 'out of late']);
});

test('a route can be added after a first request', async () => {
  const router = createRouter();
  assert.equal((await router.handle(get('/'))).status, 404);
  router.get('/', say('x'));
  assert.equal((await router.handle(get('/'))).status, 200);
});

test('route-level middleware runs only for its route, in the order listed', async () => {
  const steps: string[] = [];
  const router = createRouter()
    .get('/guarded', trace('one', steps), trace('two', steps), say('guarded'))
    .get('/open', say('open'));
  await router.handle(get('/open'));
  await router.handle(get('/nowhere'));
  assert.deepEqual(steps, []);
  await router.handle(get('/guarded'));
  assert.deepEqual(steps, ['into one', 'into two', 'out of two', 'out of one']);
});

test('a synchronous chain is answered without a promise', () => {
  const pass: Middleware = (context, next) => next(context);
  const router = createRouter().use(pass).get('/', pass, say('x'));
  assert.deepEqual(router.handle(get('/')), text('x'));
  assert.equal((router.handle(get('/nowhere')) as Response).status, 404);
});
