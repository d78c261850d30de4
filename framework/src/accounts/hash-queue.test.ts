/** Tests only the order of the queue, without hashes, so that no test depends on time. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { HttpError } from '../http/http-error.ts';
import { english } from '../language/english.ts';
import { french } from '../language/french.ts';
import { german } from '../language/german.ts';
import { QueueFull } from '../middleware/queue.ts';
import { createHashQueue, type Origin } from './hash-queue.ts';

/** Resolves after all promise callbacks that are ready. */
const settle = () => new Promise(setImmediate);

/** Work that runs until `finish`, and records its start or refusal. */
function createWork() {
  const queueHash = createHashQueue();
  const started: string[] = [];
  const refused: string[] = [];
  const running: (() => void)[] = [];
  const all: Promise<void>[] = [];
  const add = (origin: Origin, name: string, error?: Error) => {
    const run = () => {
      started.push(name);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      running.push(() => (error === undefined ? resolve() : reject(error)));
      return promise;
    };
    all.push(
      queueHash(origin, run).catch((reason) => {
        if (reason instanceof HttpError && reason.status === 503) refused.push(name);
        else assert.equal(reason, error);
      }),
    );
  };
  /** Finishes the running work one by one until the queue is empty. */
  const finish = async () => {
    await settle();
    for (let next = running.shift(); next !== undefined; next = running.shift()) {
      next();
      await settle();
    }
    await Promise.all(all);
  };
  return { started, refused, add, finish };
}

test('two hashes run at a time, fifty wait in order, and the rest is refused', async () => {
  const { started, refused, add, finish } = createWork();
  const names = Array.from({ length: 55 }, (_, index) => `unknown ${index}`);
  for (const name of names) add('unknown device', name);
  await settle();
  assert.deepEqual(started, names.slice(0, 2));
  await finish();
  assert.deepEqual(started, names.slice(0, 52));
  assert.deepEqual(refused, names.slice(52));
});

test('known devices are served first, also when the other queue is full', async () => {
  const { started, refused, add, finish } = createWork();
  for (let index = 0; index < 60; index++) add('unknown device', `unknown ${index}`);
  for (let index = 0; index < 51; index++) add('known device', `device ${index}`);
  await finish();
  assert.deepEqual(started.slice(0, 4), ['unknown 0', 'unknown 1', 'device 0', 'device 1']);
  assert.deepEqual(started.slice(51, 53), ['device 49', 'unknown 2']);
  assert.deepEqual(refused.slice(0, 1), ['unknown 52']);
  assert.deepEqual(refused.slice(8), ['device 50']);
});

test('a hash that fails starts the next one', async () => {
  const { started, add, finish } = createWork();
  for (const name of ['a', 'b', 'c', 'd']) add('unknown device', name, new Error(name));
  await finish();
  assert.deepEqual(started, ['a', 'b', 'c', 'd']);
});

test('a full queue is a 503 with Retry-After, in the language of the page', {
  timeout: 5_000,
}, async () => {
  const queueHash = createHashQueue({ running: 1, waiting: 0 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = queueHash('unknown device', () => promise);
  await assert.rejects(
    queueHash('unknown device', async () => {}),
    (error) => {
      assert.ok(error instanceof HttpError && error.cause instanceof QueueFull);
      assert.deepEqual([error.status, error.headers], [503, { 'Retry-After': '5' }]);
      const texts = [english, german, french].map((language) => error.messageIn(language));
      assert.deepEqual(texts, [
        'Too many people are logging in right now.',
        'Im Moment melden sich zu viele Personen an.',
        'Trop de personnes se connectent en ce moment.',
      ]);
      return true;
    },
  );
  resolve();
  await first;
});
