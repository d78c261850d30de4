import assert from 'node:assert/strict';
import test from 'node:test';
import { createQueue, QueueFull } from './queue.ts';

test('work that has waited too long is refused, and what comes after it runs', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const queue = createQueue({ running: 1, waiting: 2, wait: 1_000 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = queue(() => promise);
  const late = assert.rejects(
    queue(async () => {}),
    QueueFull,
  );
  t.mock.timers.tick(1_000);
  await late;
  const next = queue(async () => 'ran');
  resolve();
  await first;
  assert.equal(await next, 'ran');
});
