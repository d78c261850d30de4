import assert from 'node:assert/strict';
import test from 'node:test';
import { sendHostileFiles } from './hostile-files.ts';

// hostile-files.release.test.ts sends ten times as many: the process of the pictures starts again after most of them.
test('hostile photos end nothing, and are never shown in place', async () => {
  const { files, photos, documents, refused, megabytes, ...found } = await sendHostileFiles(20);
  assert.equal(files, 20);
  assert.ok(photos > 2 && documents > 2 && refused > 0, `${photos} ${documents} ${refused}`);
  const none = { failed: 0, shownInPlace: 0, processesEnded: 0, excess: 0 };
  assert.deepEqual(found, none, `${megabytes} MB`);
});
