import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { page, type Response, text } from '../http/response.ts';
import { catchErrors } from '../middleware/catch-errors.ts';
import type { ErrorReport } from '../middleware/error-report.ts';
import { createRouter } from '../router/router.ts';
import { get } from '../testing/make-request.ts';
import { compose } from './compose.ts';
import type { AnyMiddleware, Context, Handler, Middleware } from './context.ts';

const ROUTE = { method: 'GET', pattern: '/items/:number' } as const;
const answer: Handler<Context> = () => text('answered');
const pass: Middleware = (context, next) => next(context);
const passLater: Middleware = async (context, next) => await next(context);
const slow: Handler<Context> = async () => {
  await sleep(5);
  return text('late');
};

/** Runs a chain as the router does. */
async function run(chain: readonly AnyMiddleware[], handler: Handler<Context> = answer) {
  const composed = compose(chain, handler, ROUTE);
  return composed({ request: get('/items/7'), route: ROUTE });
}

/** Returns a value that its type does not allow, as JavaScript or a cast can. */
const broken = (one: (...parameters: never) => unknown) => one as AnyMiddleware;

const repeats: Middleware = function repeats(context, next) {
  next(context);
  return next(context);
};
const repeatsLater: Middleware = async function repeats(context, next) {
  await next(context);
  return next(context);
};
const SECOND = /^TypeError: "repeats" in the chain of GET \/items\/:number called next a second/;

test('a second next is an error naming middleware and route', async () => {
  for (const one of [repeats, repeatsLater]) {
    for (const around of [pass, passLater]) {
      await assert.rejects(run([around, one, around]), SECOND);
      await assert.rejects(run([around, one, around], slow), SECOND);
      await assert.rejects(run([one]), SECOND);
    }
  }
});

const drops: Middleware = function drops(context, next) {
  next(context);
  return text('too early');
};
const dropsLater: Middleware = async function drops(context, next) {
  await null;
  next(context);
  return text('too early');
};
const DROPPED = /^TypeError: "drops" in the chain of GET \/items\/:number answered while the rest/;

test('an answer while the rest of the chain is running is an error naming middleware and route', async () => {
  for (const one of [drops, dropsLater]) {
    await assert.rejects(run([one], slow), DROPPED);
    await assert.rejects(run([pass, one, passLater], slow), DROPPED);
    await assert.rejects(run([passLater, one, pass], slow), DROPPED);
  }
});

test('a rejection of the rest after an early answer is not unhandled', async (t) => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  t.after(() => process.off('unhandledRejection', note));
  const fails: Handler<Context> = async () => {
    await sleep(1);
    throw new Error('Nobody waits for this.');
  };
  const answersLast: Middleware = async (context, next) => {
    await Promise.allSettled([next(context)]);
    return text('after all');
  };
  await assert.rejects(run([drops, passLater], fails), DROPPED);
  await assert.rejects(run([drops, broken(passLater)], broken(async () => 'x') as never), DROPPED);
  assert.deepEqual(await run([answersLast, passLater], fails), text('after all'));
  const throws: Middleware = (context, next) => {
    void next(context);
    throw new Error('After next.');
  };
  await assert.rejects(run([throws, passLater], fails), /After next/);
  const callsLate: Middleware = async (context, next) => {
    await sleep(1);
    void next(context);
    return text('late');
  };
  await assert.rejects(run([callsLate, passLater], fails), / answered while/);
  await sleep(10);
  assert.deepEqual(unhandled, []);
});

test('the rest that runs on after a misuse does not affect the error page', async () => {
  const reports: ErrorReport[] = [];
  const router = createRouter()
    .use(passLater)
    .use(
      catchErrors({
        page: async ({ status }) => {
          await sleep(10);
          return text('failed', status);
        },
        report: (report) => reports.push(report),
      }),
    )
    .use(drops)
    .use(async (context, next) => {
      await sleep(2);
      return next(context);
    })
    .get('/items/:number', slow);
  assert.equal((await router.handle(get('/items/7'))).status, 500);
  assert.deepEqual(
    reports.map(({ route, message }) => [route, /^"drops".+answered while/.test(message)]),
    [['GET /items/:number', true]],
  );
});

test('awaiting the rest later, catching its errors, or refusing early is not misuse', async () => {
  const waits: Middleware = async (context, next) => {
    const rest = next(context);
    await sleep(1);
    return rest;
  };
  const rescues: Middleware = async (context, next) => {
    try {
      return await next(context);
    } catch {
      return text('rescued');
    }
  };
  const fails = async () => {
    await sleep(1);
    throw new Error('Broken.');
  };
  assert.deepEqual(await run([pass, waits, passLater], slow), text('late'));
  assert.deepEqual(await run([waits, rescues, waits], fails), text('rescued'));
  assert.deepEqual(await run([passLater, () => text('no', 403)]), text('no', 403));
});

test('of concurrent requests in one chain, only the one with the misuse fails', async () => {
  const maybe: Middleware = async function drops(context, next) {
    const rest = next(context);
    return context.request.path === '/3' ? text('early') : rest;
  };
  const router = createRouter()
    .use(passLater)
    .use(maybe)
    .get('/:number', async ({ params }) => {
      await sleep(Number(params.number) % 3);
      return text(params.number);
    });
  const all = Array.from({ length: 60 }, (_, index) => router.handle(get(`/${index}`)));
  const settled = await Promise.allSettled(all);
  for (const [index, one] of settled.entries()) {
    if (index === 3) assert.match(String((one as PromiseRejectedResult).reason), /"drops"/);
    else assert.deepEqual((one as PromiseFulfilledResult<Response>).value, text(`${index}`));
  }
});

test('a chain of a hundred elements is checked like a short one', async () => {
  const many = Array.from({ length: 100 }, () => passLater);
  assert.deepEqual(await run(many, slow), text('late'));
  await assert.rejects(run([...many, repeats, ...many]), SECOND);
  await assert.rejects(run([...many, drops, ...many], slow), DROPPED);
});

test('a response that cannot be sent is an error naming the middleware that returned it', async () => {
  const base = text('x');
  const values: readonly (readonly [unknown, RegExp])[] = [
    [{ ...base, status: 99 }, /the status 99, which cannot end a request/],
    [{ ...base, status: 101 }, /the status 101,/],
    [{ ...base, status: 600 }, /the status 600,/],
    [{ ...base, status: 200.5 }, /the status 200\.5,/],
    [{ ...base, status: Number.NaN }, /the status NaN,/],
    [{ ...base, status: 204 }, /the status 204 and a body/],
    [{ ...base, status: 304 }, /the status 304 and a body/],
    [{ ...base, headers: { 'X-A': 'a\r\nX-B: b' } }, /a header "X-A" that/],
    [{ ...base, headers: { 'X-A': 'a\nb' } }, /a header "X-A" that/],
    [{ ...base, headers: { 'X-A': 'a\rb' } }, /a header "X-A" that/],
    [{ ...base, headers: { 'X-A': 'a\0b' } }, /a header "X-A" that/],
    [{ ...base, headers: { 'X-A': 7 } }, /a header "X-A" that is not text/],
    [{ ...base, headers: { 'X-A': undefined } }, /a header "X-A" that is not text/],
    [{ ...base, headers: { 'Set-Cookie': ['a=1', 'b=2\n'] } }, /a header "Set-Cookie" that/],
    [{ ...base, headers: { 'X-A\n': 'a' } }, /a header "X-A\\n" that/],
    [{ ...base, headers: { 'X A': 'a' } }, /a header "X A" that/],
    [{ ...base, headers: { 'X-A': '日本' } }, /a header "X-A" that/],
    [{ ...base, body: {} }, /an object whose body is not text, bytes, a stream or null/],
    [null, /returned null instead/],
    [undefined, /returned nothing instead/],
    ['<p>', /returned "<p>" instead/],
    [200, /returned 200 instead/],
    [{ body: 'x' }, /returned an object that has no status instead/],
    [{ status: '200' }, /returned an object that has no status instead/],
    [{ status: 200 }, /returned an object that has no headers/],
    [{ status: 200, headers: {} }, /returned an object whose body is not text/],
  ];
  for (const [value, message] of values) {
    const makers = [
      broken(function makes() {
        return value;
      }),
      broken(async function makes() {
        return value;
      }),
    ];
    for (const makesIt of makers) {
      await assert.rejects(run([pass, makesIt, pass]), message);
      await assert.rejects(run([passLater, makesIt]), /^TypeError: "makes" in the chain of GET/);
    }
    const changes = broken(async function changes(context: Context, next: Handler<Context>) {
      await next(context);
      return value;
    });
    await assert.rejects(run([pass, changes, pass]), message);
  }
});

test('the lowest and the highest status, and an empty 204, are accepted', async () => {
  for (const status of [200, 599])
    assert.equal((await run([], () => text('x', status))).status, status);
  const empty = { status: 204, headers: {}, body: null };
  assert.equal(await run([pass], () => empty), empty);
});

test('frozen headers are checked once, and an array in them each time', async () => {
  const headers = Object.freeze({ 'X-A': 'a\n' });
  for (let turn = 0; turn < 2; turn++) {
    await assert.rejects(
      run([], () => ({ ...base(), headers })),
      /a header "X-A" that/,
    );
  }
  const cookies = ['a=1'];
  const listed = Object.freeze({ 'Set-Cookie': cookies });
  assert.equal((await run([], () => ({ ...base(), headers: listed }))).status, 200);
  cookies.push('b=2\r\nX: 1');
  await assert.rejects(
    run([], () => ({ ...base(), headers: listed })),
    /a header "Set-Cookie"/,
  );
});

test('a function that makes a middleware and was not called is an error that says so', async () => {
  const makes = broken(function limitRate() {
    return pass;
  });
  await assert.rejects(
    run([makes]),
    /^TypeError: "limitRate" in the chain of GET .* returned a function .* Call it where the chain is/,
  );
});

test('a page of text, or another body that is missing, is an error that says so', async () => {
  const makesPage = () => page('<h1>Hello</h1>' as never);
  await assert.rejects(
    run([], makesPage),
    /"makesPage" .* a response whose body is undefined. Pass page\(…\) what the html tag makes/,
  );
});

test('next without a context is an error that says so, and other errors stay as they are', async () => {
  const forgets: AnyMiddleware = (_context, next) => next(undefined as never);
  const answers: Handler<Context> = ({ request }) => text(request.path);
  const answersLater: Handler<Context> = async ({ request }) => text(request.path);
  for (const handler of [answers, answersLater]) {
    const name = handler.name;
    await assert.rejects(run([forgets], handler), (error) => {
      assert.match(
        String(error),
        new RegExp(`^TypeError: "${name}" .* got no context: the middleware`),
      );
      return (error as Error).cause instanceof TypeError;
    });
  }
  const fails = () => {
    throw new RangeError('Too far.');
  };
  await assert.rejects(run([forgets], fails), /^RangeError: Too far.$/);
});

function base(): Response {
  return { status: 200, headers: {}, body: null };
}
