import assert from 'node:assert/strict';
import test from 'node:test';
import type { Middleware } from './context.ts';
import { describeMiddleware, descriptionOf } from './describe-middleware.ts';

interface Needs {
  readonly user: string | null;
  readonly now: Date;
}
interface Adds {
  readonly user: string;
}

// A function of its own for each test: what is said of one is kept with it.
const create = (): Middleware<Needs, Adds> => (context, next) =>
  next({ ...context, user: context.user ?? 'nobody' });

test('what a middleware needs and adds can be asked for when it was said', () => {
  const middleware = create();
  assert.equal(descriptionOf(middleware), null);
  const same = describeMiddleware(middleware, { needs: ['user', 'now'], adds: ['user'] });
  assert.equal(same, middleware);
  assert.deepEqual(descriptionOf(middleware), { needs: ['user', 'now'], adds: ['user'] });
});

test('a middleware written in place is described too', () => {
  const middleware: Middleware<Needs, Adds> = describeMiddleware(
    (context, next) => next({ ...context, user: String(context.now) }),
    { needs: ['user', 'now'], adds: ['user'] },
  );
  assert.deepEqual(descriptionOf(middleware)?.adds, ['user']);
});

test('a key that is missing does not compile', () => {
  // @ts-expect-error now is needed too
  describeMiddleware(create(), { needs: ['user'], adds: ['user'] });
  // @ts-expect-error user is added
  describeMiddleware(create(), { needs: ['user', 'now'], adds: [] });
  // @ts-expect-error what it adds is not said
  assert.throws(() => describeMiddleware(create(), { needs: ['user', 'now'] }), TypeError);
});

test('a key that is wrong does not compile', () => {
  // @ts-expect-error nobody needs a session
  describeMiddleware(create(), { needs: ['user', 'now', 'session'], adds: ['user'] });
  // @ts-expect-error now is not added
  describeMiddleware(create(), { needs: ['user', 'now'], adds: ['user', 'now'] });
});
