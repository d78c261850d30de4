import assert from 'node:assert/strict';
import test from 'node:test';
import { sendFilesThreeTimes } from './files-three-times.ts';

const NONE = {
  ...{ failed: 0, statuses: 'none', lost: 0, ghosts: 0, doubled: 0, damaged: 0 },
  ...{ twice: 0, leftovers: 0 },
};

// `npm run faults -- files` sends a thousand, with thirty kills.
test('forms with rows and files, each sent three times to a process that is killed, count once', async () => {
  const { broken, late, ...rest } = await sendFilesThreeTimes(24, 2);
  assert.ok(broken > 0, 'no form was under way when the process was killed');
  assert.deepEqual(rest, { forms: 24, parked: 12, kills: 2, refused: 0, ...NONE }, `${late} late`);
});
