import assert from 'node:assert/strict';
import test from 'node:test';
import { DatabaseUnavailable } from 'seeother/database';
import { bodyText, hiddenFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../testing/create-test-application.ts';
import { formIn } from '../testing/form-in.ts';
import { uploadFile } from '../testing/upload-file.ts';

test('the page of an import that waits says what it waits for', async (t) => {
  let waitsFor: DatabaseUnavailable | null = null;
  const application = await createTestApplication(t, {
    importRunner: { wake: () => {}, waitsFor: () => waitsFor },
  });
  const ada = await createMember(application);
  const file = new File(['name\nDrill\nSaw\n'], 'things.csv', { type: 'text/csv' });
  const path = headerOf(await uploadFile(ada, '/items/import', file), 'Location') ?? '';
  await ada.post(`${path}/run`, hiddenFields(formIn(bodyText(await ada.get(path)), '/run')));
  const show = async () => bodyText(await ada.get(path));
  assert.match(await show(), /You can leave this page: the import continues\./);
  for (const [disk, words] of [
    ['full', 'the server can’t save anything, because its disk is full'],
    ['fails', 'the server can’t save anything, because its disk does not work'],
    [null, 'the database can’t be used right now'],
  ] as const) {
    waitsFor = new DatabaseUnavailable('secret.example', { disk });
    const shown = await show();
    assert.ok(
      shown.includes(`<p class="notice">The import waits: ${words}. It continues by itself`),
      shown,
    );
    assert.doesNotMatch(shown, /the import continues|secret/);
  }
});
