import assert from 'node:assert/strict';
import test from 'node:test';
import { restartInTurn } from '../faults/rolling-restart.ts';
import { skipWithout } from './find-program.ts';
import { runRollingRestart } from './run-rolling-restart.ts';

test('both instances restart behind HAProxy, and no request fails', {
  skip: skipWithout('haproxy', 'openssl', 'curl'),
}, async () => {
  const { requests, acknowledged, ...rest } = await restartInTurn(1, 100);
  assert.ok(requests > 50 && acknowledged > 10, `${requests} and ${acknowledged}`);
  assert.deepEqual(rest, { restarts: 2, failed: 0, lost: 0, ghosts: 0, doubled: 0, gaps: 0 });
});

test('a failed restart stops the script before the next instance', {
  skip: skipWithout('curl'),
}, async () => {
  const restarted: string[] = [];
  const { code, errors } = await runRollingRestart({
    // Nobody listens there.
    ports: ['1', '2'],
    restart: async (port) => void restarted.push(port),
    programs: { sleep: 'exit 0' },
  });
  assert.equal(code, 1);
  assert.match(errors, /^Cannot go on: the instance on port 1 is not ready after 30 s\./);
  assert.deepEqual(restarted, ['1']);
});
