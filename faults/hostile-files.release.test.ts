import assert from 'node:assert/strict';
import test from 'node:test';
import { sendHostileFiles } from './hostile-files.ts';

// `npm run faults -- hostile-files` sends ten thousand.
test('two hundred hostile photos end nothing, and are never shown in place', async () => {
  const { files, photos, documents, refused, megabytes, ...found } = await sendHostileFiles(200);
  assert.equal(files, 200);
  assert.ok(photos > 20 && documents > 20 && refused > 0, `${photos} ${documents} ${refused}`);
  const none = { failed: 0, shownInPlace: 0, processesEnded: 0, excess: 0 };
  assert.deepEqual(found, none, `${megabytes} MB`);
});
