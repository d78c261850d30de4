import assert from 'node:assert/strict';
import test from 'node:test';
import { ENGINES } from '../application/testing/open-test-database.ts';
import { skipWithout } from '../deploy/find-program.ts';
import { sendToTwoVersions } from './two-versions.ts';

// `npm run faults` sends a thousand.
for (const { engine, name, skip } of ENGINES) {
  test(`forty forms sent to two versions, of which one has another field, are forty items (${name})`, {
    skip: skip || skipWithout('haproxy', 'openssl'),
  }, async () => {
    const { byOld, byNew, ...report } = await sendToTwoVersions(40, engine);
    assert.deepEqual(report, {
      items: 40,
      acknowledged: 40,
      failed: 0,
      lost: 0,
      ghosts: 0,
      doubled: 0,
      gaps: 0,
    });
    assert.ok(byOld > 0 && byNew > 0, 'one version got no form');
  });
}
