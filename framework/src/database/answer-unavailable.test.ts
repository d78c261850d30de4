import assert from 'node:assert/strict';
import test from 'node:test';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { get, post } from '../testing/make-request.ts';
import { answerUnavailable } from './answer-unavailable.ts';
import { DatabaseUnavailable, type Outcome } from './database.ts';

type UnavailableOptions = ConstructorParameters<typeof DatabaseUnavailable>[1];

/** What the router throws when the handler throws this error, or rejects with it if `isLate`. */
async function refusalOf(error: Error, isLate: boolean): Promise<unknown> {
  const fail = (): Response | Promise<Response> => {
    if (isLate) return Promise.reject(error);
    throw error;
  };
  const router = createRouter().use(answerUnavailable).get('/', fail);
  try {
    return await router.handle(get('/'));
  } catch (thrown) {
    return thrown;
  }
}

test('an unavailable database is a 503 with Retry-After that says whether the data may have been saved', async () => {
  for (const isLate of [false, true]) {
    for (const outcome of ['not saved', 'unknown'] satisfies Outcome[]) {
      const error = new DatabaseUnavailable('it is away.', { outcome });
      const refusal = (await refusalOf(error, isLate)) as Record<string, unknown>;
      const { name, status, headers, mayBeSaved, cause } = refusal;
      assert.deepEqual(
        { name, status, headers, mayBeSaved, cause },
        {
          name: 'HttpError',
          status: 503,
          headers: { 'Retry-After': '5' },
          mayBeSaved: outcome === 'unknown',
          cause: error,
        },
      );
    }
  }
});

test('any other error is passed on unchanged', async () => {
  const bug = new Error('a bug');
  for (const isLate of [false, true]) assert.equal(await refusalOf(bug, isLate), bug);
});

test('a form that the disk could not save says so, and the log and administrators read why', async () => {
  const answer = async (request: Request, options: UnavailableOptions) => {
    const fail = () => {
      throw new DatabaseUnavailable('the disk is full. Make room on it.', options);
    };
    const router = createRouter().use(answerUnavailable).get('/', fail).post('/', fail);
    try {
      await router.handle(request);
    } catch (thrown) {
      assert.ok(thrown instanceof HttpError);
      return { message: thrown.message, reason: thrown.reason };
    }
    return assert.fail('nothing was thrown');
  };
  const reason = 'The database cannot be used now: the disk is full. Make room on it.';
  const cases = [
    [{ disk: 'full' }, 'We could not save this: the server’s disk is full.'],
    [{ disk: 'fails' }, 'We could not save this: the server’s disk does not work.'],
    [
      { disk: 'fails', outcome: 'unknown' },
      'We could not save this for certain: the server’s disk has failed.',
    ],
  ] as const;
  for (const [options, message] of cases) {
    assert.deepEqual(await answer(post('/', {}), options), { message, reason });
    assert.doesNotMatch((await answer(get('/'), options)).message, /save this/);
  }
  const away = await answer(post('/', {}), {});
  assert.deepEqual(away, { message: 'We can’t reach the database right now.', reason: null });
});
