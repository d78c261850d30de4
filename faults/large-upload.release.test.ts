import assert from 'node:assert/strict';
import test from 'node:test';
import { sendLargeFile } from './large-upload.ts';

const skip = process.platform !== 'linux' && 'Only Linux tells the largest memory of a process.';

test('a file of 256 MiB needs less than 64 MiB of memory', { skip }, async () => {
  const { growth, ...rest } = await sendLargeFile(256);
  assert.deepEqual(rest, { size: 256, lost: 0, excess: 0 }, `it grew by ${growth} MiB`);
});
