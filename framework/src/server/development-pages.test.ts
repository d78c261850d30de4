import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Middleware } from '../chain/context.ts';
import { HttpError } from '../http/http-error.ts';
import { text } from '../http/response.ts';
import { catchErrors } from '../middleware/catch-errors.ts';
import { createRouter } from '../router/router.ts';
import { serve } from './node-server.ts';

const passOn: Middleware = function passOn(context, next) {
  return next(context);
};

const breakLate: Middleware = async function breakLate(context, next) {
  await next(context);
  throw new Error('Broken after <next>.');
};

function createFailing() {
  return createRouter()
    .use(passOn)
    .use(catchErrors({ page: ({ id }) => text(`Reference ${id}`, 500), report: () => {} }))
    .get('/items/:number<int>', ({ params }) => text(`${params.number}`))
    .get('/broken', passOn, function showBroken(): never {
      throw new RangeError('Out of <range>.');
    })
    .get('/message', (): never => {
      throw new Error('Broken\n    at evil (/etc/passwd:1:1)');
    })
    .get('/late', breakLate, () => text('never'))
    .get('/missing', (): never => {
      throw new HttpError(404, 'There is no such item.');
    });
}

async function open(t: TestContext, development: boolean, router: object = createFailing()) {
  const reported: unknown[] = [];
  const server = await serve(router as ReturnType<typeof createFailing>, {
    host: '127.0.0.1',
    port: 0,
    development,
    report: (error) => reported.push(error),
  });
  t.after(() => server.stop(0));
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${server.url}${path}`, {
      headers: { Accept: 'text/html', Cookie: 'session=secret', ...headers },
    });
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };
  return { get, reported };
}

test('an error shows its message, source, stack and chain, all escaped', async (t) => {
  const { get } = await open(t, true);
  const { status, headers, body } = await get('/broken?x=1');
  assert.equal(status, 500);
  assert.match(String(headers.get('Content-Security-Policy')), /^default-src 'none'/);
  assert.match(body, /<h1>RangeError: Out of &lt;range&gt;\.<\/h1>/);
  assert.match(
    body,
    /<mark> +\d+ +throw new RangeError\(&#39;Out of &lt;range&gt;\.&#39;\);<\/mark>/,
  );
  assert.match(body, /at showBroken \(.*development-pages\.test\.ts:\d+:\d+\)/);
  assert.match(body, /<mark>showBroken<\/mark><\/td><td>\d+\.\d\d ms<\/td><td>it broke here/);
  assert.equal(body.match(/it broke here/g)?.length, 1);
  assert.match(body, /GET \/broken\?x=1/);
  assert.doesNotMatch(body, /session=secret|<range>/);
});

test('F22: a message that looks like a stack shows no other file', async (t) => {
  const { get } = await open(t, true);
  const { body } = await get('/message');
  assert.match(body, /<mark> +\d+ +throw new Error\(&#39;Broken\\n/);
  assert.doesNotMatch(body, /root:/);
});

test('the middleware that failed after the handler is named, and not the handler', async (t) => {
  const { get } = await open(t, true);
  const { body } = await get('/late');
  assert.match(body, /<mark>breakLate<\/mark><\/td><td>\d+\.\d\d ms<\/td><td>it broke here/);
});

test('an unknown address shows every route and why it does not match', async (t) => {
  const { get } = await open(t, true);
  const { status, body } = await get('/items/abc');
  assert.equal(status, 404);
  assert.match(body, /<h1>No route for GET \/items\/abc<\/h1>/);
  assert.match(
    body,
    /<td>GET \/items\/:number&lt;int&gt;<\/td><td>segment 2, &quot;abc&quot;, is no whole number/,
  );
});

test('an unknown address shows the routes whatever notFound answers', async (t) => {
  const notFound = () => text('Mine', 404);
  const refuse = () => {
    throw new HttpError(404, 'Mine');
  };
  for (const own of [notFound, refuse]) {
    const router = createRouter({ notFound: own }).use(
      catchErrors({ page: () => text('Mine', 404), report() {} }),
    );
    const { get } = await open(t, true, router);
    assert.match((await get('/nowhere')).body, /<h1>No route for GET \/nowhere<\/h1>/);
  }
});

test('expected errors and normal answers are the same as for users', async (t) => {
  const { get } = await open(t, true);
  assert.match((await get('/missing')).body, /^Reference /);
  assert.equal((await get('/items/7')).body, '7');
});

test('a program that does not ask for HTML gets what it would get in production', async (t) => {
  const { get } = await open(t, true);
  assert.match((await get('/broken', { Accept: '*/*' })).body, /^Reference /);
  assert.equal(
    (await get('/nowhere', { Accept: 'text/plain' })).body,
    'Not found: there is nothing at this address.\n',
  );
});

test('an error outside of catchErrors is shown too, and reported', async (t) => {
  const bare = createRouter()
    .get('/', async (): Promise<never> => {
      throw new Error('Nobody caught this.');
    })
    .get('/gone', async (): Promise<never> => {
      throw new HttpError(404, 'It is gone.');
    });
  const { get, reported } = await open(t, true, bare);
  assert.match((await get('/')).body, /<h1>Error: Nobody caught this\.<\/h1>/);
  assert.equal((await get('/', { Accept: '*/*' })).body, 'Something went wrong on our side.\n');
  assert.equal((await get('/gone')).body, 'It is gone.\n');
  assert.deepEqual(reported.map(String), Array(2).fill('Error: Nobody caught this.'));
});

test('development pages are shown only with their option', async (t) => {
  const { get } = await open(t, false);
  for (const path of ['/broken', '/late', '/items/abc'])
    assert.doesNotMatch((await get(path)).body, /throw|Stack|showBroken|range|registered/i, path);
});
