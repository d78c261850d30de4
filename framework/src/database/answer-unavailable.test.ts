import assert from 'node:assert/strict';
import test from 'node:test';
import type { Response } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { get } from '../testing/make-request.ts';
import { answerUnavailable } from './answer-unavailable.ts';
import { DatabaseUnavailable, type Outcome } from './database.ts';

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
