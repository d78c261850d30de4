/** Imports a file in the pages, as a member does, and waits for the end. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyText, hiddenFields, type Visitor } from 'seeother/testing';
import { formIn } from '../application/testing/form-in.ts';
import { uploadFile } from '../application/testing/upload-file.ts';

/** Resolves when the items are there. */
export async function importInPages(visitor: Visitor, text: string): Promise<void> {
  const file = new File([text], 'things.csv', { type: 'text/csv' });
  const sent = await uploadFile(visitor, '/items/import', file);
  assert.equal(sent.status, 303, bodyText(sent));
  const preview = String(sent.headers['Location']);
  const form = formIn(bodyText(await visitor.get(preview)), '/run');
  const run = await visitor.post(`${preview}/run`, { here: 'leave', ...hiddenFields(form) });
  assert.equal(run.status, 303, bodyText(run));
  for (;;) {
    const page = bodyText(await visitor.get(preview));
    if (/<h1>.*was imported/.test(page)) return;
    assert.match(page, /The page reloads by itself/);
    await sleep(100);
  }
}
