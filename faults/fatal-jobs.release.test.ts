import assert from 'node:assert/strict';
import test from 'node:test';
import { createBareDatabase } from '../application/testing/open-bare-database.ts';
import { ENGINES } from '../application/testing/open-test-database.ts';
import { runFatalJobs } from './fatal-jobs.ts';

// `npm run faults -- fatal-jobs` takes thirty rounds.
for (const { engine, name, skip } of ENGINES) {
  test(`a job that ends its process takes no other with it, and is named, also after a clock was ahead (${name})`, {
    skip,
  }, async (t) => {
    const { url } = await createBareDatabase(t, engine);
    const { processesLost, ...rest } = await runFatalJobs(1, { url, remove: async () => {} });
    assert.equal(processesLost, 3);
    assert.deepEqual(rest, { rounds: 1, innocent: 8, lost: 0, doubled: 0, failed: 0 });
  });
}
