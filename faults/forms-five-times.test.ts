import assert from 'node:assert/strict';
import test from 'node:test';
import { skipWithoutPrograms } from '../application/testing/postgres/find-programs.ts';
import { skipWithout } from '../deploy/find-program.ts';
import { sendBehind, sendToPair } from './forms-five-times.ts';

function holds(report: Awaited<ReturnType<typeof sendToPair>>, count: number): void {
  const { seeOther, away, broken, takenAfterwards: _, sentAgain, ...rest } = report;
  assert.equal(seeOther + away + broken, count * 5 + sentAgain);
  assert.ok(away + broken > 0, 'no form was under way when the instance was killed');
  assert.deepEqual(rest, {
    items: count,
    acknowledged: count,
    failed: 0,
    lost: 0,
    ghosts: 0,
    doubled: 0,
    gaps: 0,
  });
}

// `npm run faults` sends a thousand behind each balancer.
test('a hundred forms sent five times each to two instances, one killed halfway, are a hundred items', async () => {
  holds(await sendToPair(100), 100);
});

for (const name of ['nginx', 'haproxy'] as const) {
  const skip = skipWithout(name, 'openssl') || skipWithoutPrograms();
  test(`fifty forms are fifty items behind ${name}, on PostgreSQL`, { skip }, async () => {
    holds(await sendBehind(name, 50), 50);
  });
}
