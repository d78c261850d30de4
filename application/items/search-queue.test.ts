import assert from 'node:assert/strict';
import test from 'node:test';
import { QueueFull } from 'seeother/middleware';
import { createSearchQueue } from './search-queue.ts';

/** Searches that end when they are told to. */
function createSearches() {
  const queue = createSearchQueue();
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const start = (number: number) =>
    queue(async () => {
      begun.push(number);
      await new Promise<void>((resolve) => {
        ends[number] = resolve;
      });
      return number;
    });
  const end = async (number: number) => {
    ends[number]?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, begun, start, end };
}

test('when thirty searches wait, the next is refused immediately', async () => {
  const { queue, start, end } = createSearches();
  const numbers = Array.from({ length: 32 }, (_, index) => index);
  const results = numbers.map(start);
  await assert.rejects(
    queue(async () => {}),
    QueueFull,
  );
  for (const number of numbers) await end(number);
  assert.deepEqual(await Promise.all(results), numbers);
});

test('a search that has waited for three seconds is refused, and does not delay the next', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { begun, start, end } = createSearches();
  const results = [0, 1, 2].map(start);
  const refused = assert.rejects(results[2] ?? Promise.resolve(), QueueFull);
  t.mock.timers.tick(3_000);
  await refused;
  const last = start(3);
  await end(0);
  assert.deepEqual(begun, [0, 1, 3]);
  for (const number of [1, 3]) await end(number);
  assert.equal(await last, 3);
});
