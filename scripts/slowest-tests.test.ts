import assert from 'node:assert/strict';
import test from 'node:test';
import { createTestTimes, listSlowest } from './slowest-tests.ts';

test('the slowest tests are found in what the runner prints, without the groups around them', () => {
  const times = createTestTimes();
  for (const line of [
    '▶ one.test.ts',
    '  ✔ quick (1.5ms)',
    '  ▶ inner',
    '    ✔ slow (25000ms)',
    '    ✖ failing (900ms)',
    '  ✔ inner (25900ms)',
    '  ﹣ left out (0.1ms) # SKIP',
    '  ✔ like its group (3ms)',
    '✔ one.test.ts (26000ms)',
    '✔ one.test.ts (40ms)',
  ])
    times.read(line);
  assert.deepEqual(listSlowest(times.tests, 3), [
    '   25.0 s  one.test.ts › inner › slow',
    '    0.9 s  one.test.ts › inner › failing',
    '    0.0 s  one.test.ts',
  ]);
});
