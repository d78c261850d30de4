import assert from 'node:assert/strict';
import test from 'node:test';
import { sendFilesThreeTimes } from './files-three-times.ts';

const NONE = {
  ...{ failed: 0, statuses: 'none', lost: 0, ghosts: 0, doubled: 0, damaged: 0 },
  ...{ twice: 0, leftovers: 0 },
};

// `npm run faults -- files-unmounted` sends three hundred, with thirty times without the folder.
test('forms whose folder of files is away for a while get a 503, and count once with whole files', async () => {
  const { broken, refused, late, parked, ...rest } = await sendFilesThreeTimes(24, 4, 'unmount');
  assert.ok(refused > 0, 'no form was under way while the folder was away');
  assert.deepEqual(rest, { forms: 24, kills: 4, ...NONE }, `${broken} broken, ${late} late`);
});
