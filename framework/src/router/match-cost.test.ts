/** Reading and matching a path takes linear time in its length, whether a route matches or not. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { text } from '../http/response.ts';
import { assertCost } from '../testing/cost-ratio.ts';
import { get } from '../testing/make-request.ts';
import { createRouter } from './router.ts';

const router = createRouter();
for (const name of ['items', 'people', 'history'])
  router
    .get(`/${name}`, () => text(name))
    .get(`/${name}/new`, () => text(name))
    .get(`/${name}/:number<int>`, () => text(name))
    .get(`/${name}/:number<int>/:word`, () => text(name));

const PATHS: Readonly<Record<string, (size: number) => string>> = {
  dashes: (size) => `/${'a-'.repeat(size / 2)}`,
  slashes: (size) => '/'.repeat(size),
  'a long number': (size) => `/items/${'1'.repeat(size)}x`,
  'an escaped number': (size) => `/items/${'%31'.repeat(size / 3)}`,
  'escaped percent signs': (size) => `/${'%25'.repeat(size / 3)}`,
  'dot segments': (size) => `/items/new${'/..'.repeat(size / 3)}`,
};

for (const [name, make] of Object.entries(PATHS))
  test(`the cost is linear for ${name}`, async () => {
    const [short, long] = [make(8_192), make(16 * 8_192)];
    assert.equal((await router.handle(get(short))).status, 404);
    // 16 for linear time, 256 for quadratic time.
    await assertCost(80, 0.02, (path) => router.handle(get(path)), short, long);
  });
