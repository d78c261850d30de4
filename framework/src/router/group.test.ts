import assert from 'node:assert/strict';
import test from 'node:test';
import type { Context, Middleware } from '../chain/context.ts';
import { html } from '../http/html.ts';
import { page, text } from '../http/response.ts';
import { loadSession } from '../session/load-session.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import { requireSession } from '../session/require-session.ts';
import { get } from '../testing/make-request.ts';
import { bodyText } from '../testing/visitor.ts';
import { createLinks } from './links.ts';
import { createRouter } from './router.ts';

function add<Name extends string>(
  name: Name,
): Middleware<unknown, { readonly [N in Name]: number }> {
  return (context, next) => next({ ...context, [name]: name.length } as never);
}

/** Notes that the request came through. */
function note(name: string, steps: string[]): Middleware {
  return (context, next) => {
    steps.push(name);
    return next(context);
  };
}

const shop = () =>
  createRouter()
    .get('/', () => text('start'))
    .group('/shops/:shop', add('stock'), (group) =>
      group
        .use(add('prices'))
        .get('', ({ params, stock, prices }) => text(`${params.shop} ${stock} ${prices}`))
        .get('/things/:thing', ({ params }) => text(`${params.shop} ${params.thing}`))
        .group('/admin', add('level'), (admin) =>
          admin.post('/:what', ({ params, level, stock }) =>
            text(`${params.shop} ${params.what} ${level} ${stock}`, 201),
          ),
        ),
    )
    .get('/end', () => text('end'));

test('routes of a group begin with its prefix, and their names and links do too', async () => {
  const router = shop();
  assert.deepEqual(
    router.routes.map(({ name }) => name),
    [
      'GET /',
      'GET /shops/:shop',
      'GET /shops/:shop/things/:thing',
      'POST /shops/:shop/admin/:what',
      'GET /end',
    ],
  );
  const { href, action } = createLinks<typeof router>();
  const thing = href('/shops/:shop/things/:thing', { shop: 'north', thing: '7' });
  assert.equal(thing, '/shops/north/things/7');
  assert.equal(bodyText(await router.handle(get(thing))), 'north 7');
  assert.equal(
    action('/shops/:shop/admin/:what', { shop: '1', what: 'close' }),
    '/shops/1/admin/close',
  );
});

test('a handler of a group has what its middleware added, and those of the groups around it', async () => {
  const router = shop();
  assert.equal(bodyText(await router.handle(get('/shops/north'))), 'north 5 6');
  const close = { ...get('/shops/north/admin/close'), method: 'POST' } as const;
  assert.equal(bodyText(await router.handle(close)), 'north close 5 5');
});

test('middleware runs from the outside in: global, of the groups, of the route', async () => {
  const steps: string[] = [];
  const router = createRouter()
    .use(note('global', steps))
    .group('/a', note('outer', steps), note('second', steps), (outer) =>
      outer.group('/b', (inner) =>
        inner.use(note('inner', steps)).get('/c', note('route', steps), () => text('c')),
      ),
    )
    .get('/open', () => text('open'));
  await router.handle(get('/a/b/c'));
  assert.deepEqual(steps, ['global', 'outer', 'second', 'inner', 'route']);
  steps.length = 0;
  await router.handle(get('/open'));
  // Guards belong to routes, not to paths: an unknown path below the prefix runs none of a group.
  assert.equal((await router.handle(get('/a/b/nowhere'))).status, 404);
  assert.deepEqual(steps, ['global', 'global']);
});

test('a group without a prefix has the middleware alone', async () => {
  const router = createRouter()
    .use(loadSession({ store: createMemorySessionStore() }))
    .group('', requireSession, (members) =>
      members.get('/me', ({ session }) => text(session.user.name)),
    );
  assert.equal((await router.handle(get('/me'))).headers['Location'], '/login?next=%2Fme');
});

test('a handler that needs what its group does not add does not compile', () => {
  assert.throws(
    () =>
      createRouter()
        // @ts-expect-error no session is loaded
        .group('/x', requireSession, (group) => group.get('/y', () => text('y'))),
    /^TypeError: Cannot use "requireSession" in the group \/x: it needs context.session/,
  );
  createRouter().group('/x/:shop', (group) =>
    // @ts-expect-error the prefix has another parameter
    group.get('/y', ({ params }) => text(String(params.thing))),
  );
  // @ts-expect-error the names of the routes would be lost
  createRouter().group('/x', (group) => void group.get('/y', () => text('y')));
});

test('use after a route of the group was registered is an error', () => {
  const late: Middleware = (context, next) => next(context);
  createRouter()
    .get('/before', () => text('before'))
    .group('/x', (group) => {
      const own = group.use(late).get('/y', () => text('y'));
      assert.throws(() => own.use(late), /Cannot use "late" after the route GET \/x\/y/);
      return own;
    });
});

test('a prefix without a slash at its start, or with one at its end, is refused', () => {
  for (const prefix of ['admin', '/', '/admin/', '?x'])
    assert.throws(
      () => createRouter().group(prefix, (group) => group),
      /^TypeError: Cannot register a group at ".+": a prefix begins with "\/"/,
    );
});

test('a site under a base serves it alone; its patterns and names stay as they are', async () => {
  const router = createRouter({ base: '/team/store.v2' })
    .get('/', () => text('start'))
    .get('/items/:number<int>', ({ params, route }) => text(`${params.number} ${route?.pattern}`));
  const { href } = createLinks<typeof router>({ base: '/team/store.v2' });
  assert.equal(href('/'), '/team/store.v2/');
  const item = href('/items/:number<int>', { number: 7 });
  assert.equal(item, '/team/store.v2/items/7');
  assert.equal(bodyText(await router.handle(get(item))), '7 /items/:number<int>');
  assert.equal(bodyText(await router.handle(get(href('/')))), 'start');
  for (const path of ['/items/7', '/', '/team/storeXv2/items/7', '/team/store.v2'])
    assert.equal((await router.handle(get(path))).status, 404, path);
});

test('a base that is no plain path is refused', () => {
  for (const base of ['inventory', '/inventory/', '/', '/a//b', '/..', '/a/./b', '/:x', '/a?b'])
    for (const make of [() => createRouter({ base }), () => createLinks({ base })])
      assert.throws(make, /^TypeError: Cannot serve a site under ".+": a base begins with "\/"/);
});

test('a site can have a page of its own for unknown addresses, behind the global chain', async () => {
  const steps: string[] = [];
  const router = createRouter({
    notFound: ({ request }: Context) => page(html`<p>Nothing at ${request.path}</p>`, 404),
  })
    .use(note('global', steps))
    .get('/items', () => text('items'));
  const answer = await router.handle(get('/<nowhere>'));
  assert.equal(answer.status, 404);
  assert.equal(bodyText(answer), '<p>Nothing at /&lt;nowhere&gt;</p>');
  assert.deepEqual(steps, ['global']);
});
