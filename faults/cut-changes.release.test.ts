import assert from 'node:assert/strict';
import test from 'node:test';
import { cutChanges, recordChanges } from './cut-changes.ts';
import { FILE, skipWithoutRecords } from './write-records.ts';

const NONE = { lost: 0, doubled: 0, ghosts: 0, gaps: 0, halves: 0, damaged: 0, leftovers: 0 };

// `npm run faults -- power-cuts-changes` cuts six hundred times.
test('no power cut loses a change or a file of an item, or leaves a file over', {
  skip: skipWithoutRecords(),
}, async () => {
  const recording = await recordChanges(20);
  const { acknowledged, ...rest } = await cutChanges(recording, 25);
  assert.ok(acknowledged >= 20, `${acknowledged} were acknowledged`);
  assert.deepEqual(rest, { cuts: 25, ...NONE });
  const { damaged } = await cutChanges(recording, 10, { ignored: FILE.store });
  assert.ok(damaged > 0, 'no file is lost when its folder is never synced: the cuts show nothing');
});
