import assert from 'node:assert/strict';
import test from 'node:test';
import { createGathering } from './gather-metrics.ts';

test('several who read at the same time all get the answers of the workers', async () => {
  const gathering = createGathering();
  let asked = 0;
  const worker = gathering.add(() => {
    asked++;
    setImmediate(() => worker.take([{ name: 'forms', help: '', type: 'counter' } as never]));
  });
  const all = await Promise.all([gathering.read(), gathering.read(), gathering.read()]);
  assert.deepEqual(
    all.map(([metrics]) => metrics?.[0]?.name),
    ['forms', 'forms', 'forms'],
  );
  assert.equal(asked, 1);
  await gathering.read();
  assert.equal(asked, 2, 'a later one asks again');
});
