import assert from 'node:assert/strict';
import test from 'node:test';
import { type Response, text, withHeader } from '../http/response.ts';
import { get } from '../testing/make-request.ts';
import { compose } from './compose.ts';
import type { AnyMiddleware, Context, Handler, Middleware } from './context.ts';

const ROUTE = { method: 'GET', pattern: '/items/:number' } as const;
const context: Context = { request: get('/items/7'), route: ROUTE };
const answer: Handler<Context> = () => text('answered');

/** Records its entry and exit. */
function trace(name: string, steps: string[]): Middleware {
  return async (context, next) => {
    steps.push(`into ${name}`);
    const response = await next(context);
    steps.push(`out of ${name} with ${response.status}`);
    return response;
  };
}

test('each function calls next with the context, and the last is the handler', async () => {
  const steps: string[] = [];
  const handler = () => {
    steps.push('handler');
    return text('made', 201);
  };
  const chain = compose([trace('one', steps), trace('two', steps)], handler, ROUTE);
  assert.deepEqual(await chain(context), text('made', 201));
  assert.deepEqual(steps, [
    'into one',
    'into two',
    'handler',
    'out of two with 201',
    'out of one with 201',
  ]);
});

test('fields that a middleware adds to the context reach only the elements after it', async () => {
  const seen: Context[] = [];
  const look: Middleware = (context, next) => {
    seen.push(context);
    return next(context);
  };
  const addUser: Middleware<unknown, { readonly user: string }> = (context, next) =>
    next({ ...context, user: 'ada' });
  const handler = ({ user }: { readonly user: string }) => text(user);
  const chain = compose([look, addUser, look], handler, ROUTE);
  assert.deepEqual(await chain(context), text('ada'));
  assert.deepEqual(seen, [context, { ...context, user: 'ada' }]);
  assert.equal('user' in context, false);
});

test('code after next runs after the handler and may change the response', async () => {
  const tag: Middleware = async (context, next) => withHeader(await next(context), 'X-Tag', '1');
  assert.equal((await compose([tag], answer, ROUTE)(context)).headers['X-Tag'], '1');
});

test('a middleware may answer early: no later one runs, and the earlier ones continue', async () => {
  const steps: string[] = [];
  const refuse: Middleware = () => text('refused', 403);
  const chain = compose([trace('outer', steps), refuse, trace('inner', steps)], answer, ROUTE);
  assert.deepEqual(await chain(context), text('refused', 403));
  assert.deepEqual(steps, ['into outer', 'out of outer with 403']);
});

test('a thenable is awaited', async () => {
  const response = text('later');
  const handler = () =>
    // biome-ignore lint/suspicious/noThenProperty: a promise of another library.
    ({ then: (resolve: (value: Response) => void) => resolve(response) }) as never;
  const answered = compose([], handler, ROUTE)(context);
  assert.ok(answered instanceof Promise);
  assert.equal(await answered, response);
});

/** Returns or throws a value that its type does not allow, as JavaScript or a cast can. */
const broken = (run: (...parameters: never) => unknown) => run as AnyMiddleware;

const forgets = broken(function forgetsToReturn(context: Context, next: Handler<Context>) {
  next(context);
});

test('a middleware that returns nothing is an error naming middleware and route', () => {
  assert.throws(() => compose([forgets], answer, ROUTE)(context), {
    name: 'TypeError',
    message:
      '"forgetsToReturn" in the chain of GET /items/:number returned nothing instead of a response. Return what next(context) returns, or a response of its own.',
  });
});

test('a middleware without a name, and a request without a route, are described so', () => {
  const nameless = broken(() => undefined);
  assert.throws(
    () => compose([nameless], answer, null)(context),
    /^TypeError: A middleware without a name in the chain of no route returned nothing/,
  );
});

test('an Error passes through unchanged, thrown or rejected', async () => {
  const error = new RangeError('Too far.');
  const throws: Middleware = () => {
    throw error;
  };
  const rejects: Middleware = () => Promise.reject(error);
  const pass: Middleware = (context, next) => next(context);
  const isIt = (thrown: unknown) => thrown === error;
  assert.throws(() => compose([pass, throws], answer, ROUTE)(context), isIt);
  await assert.rejects(Promise.resolve(compose([pass, rejects], answer, ROUTE)(context)), isIt);
});

test('throwing something that is not an Error is wrapped in one naming middleware and route', async () => {
  const throwsText = broken(function throwsText() {
    throw 'no such item';
  });
  const expected = {
    name: 'TypeError',
    message:
      '"throwsText" in the chain of GET /items/:number threw "no such item", which is not an Error. Throw an Error, which has a stack trace.',
    cause: 'no such item',
  };
  assert.throws(() => compose([throwsText], answer, ROUTE)(context), expected);
  const rejectsText = broken(async function throwsText() {
    throw 'no such item';
  });
  const answered = compose([rejectsText], answer, ROUTE)(context);
  await assert.rejects(Promise.resolve(answered), expected);
});

test('throwing undefined is wrapped too', () => {
  const throwsNothing = broken(() => {
    throw undefined;
  });
  assert.throws(() => compose([throwsNothing], answer, ROUTE)(context), /threw nothing, which/);
});

test('a handler that calls next is an error', () => {
  const goesOn = broken((context: Context, next: Handler<Context>) => next(context));
  assert.throws(
    () => compose([], goesOn as never, ROUTE)(context),
    /^TypeError: .* is the last of its chain and called next, so it is a middleware. Put a handler/,
  );
});
