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

// Each test needs a new function, because a description is a property of its function.
const create = (): Middleware<Needs, Adds> => (context, next) =>
  next({ ...context, user: context.user ?? 'nobody' });

test('descriptionOf returns what a described middleware needs and adds', () => {
  const middleware = create();
  assert.equal(descriptionOf(middleware), null);
  const same = describeMiddleware(middleware, { needs: ['user', 'now'], adds: ['user'] });
  assert.equal(same, middleware);
  assert.deepEqual(descriptionOf(middleware), { needs: ['user', 'now'], adds: ['user'] });
});

test('an inline middleware can be described', () => {
  const middleware: Middleware<Needs, Adds> = describeMiddleware(
    (context, next) => next({ ...context, user: String(context.now) }),
    { needs: ['user', 'now'], adds: ['user'] },
  );
  assert.deepEqual(descriptionOf(middleware)?.adds, ['user']);
});

test('a key that is missing does not compile', () => {
  // @ts-expect-error it also needs now
  describeMiddleware(create(), { needs: ['user'], adds: ['user'] });
  // @ts-expect-error user is added
  describeMiddleware(create(), { needs: ['user', 'now'], adds: [] });
  // @ts-expect-error adds is missing
  describeMiddleware(create(), { needs: ['user', 'now'] });
});

test('a key that is wrong does not compile', () => {
  // @ts-expect-error it does not need session
  describeMiddleware(create(), { needs: ['user', 'now', 'session'], adds: ['user'] });
  // @ts-expect-error now is not added
  describeMiddleware(create(), { needs: ['user', 'now'], adds: ['user', 'now'] });
});
