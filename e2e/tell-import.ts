/**
 * An export of another program, or its zip with photos, is imported in five steps, and the same file again brings
 * nothing. Without scripts.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { RealExport } from '../application/testing/exports/make-random.ts';
import { send, showsHeading } from './browser.ts';

/** For `story`: no sample items, and no script. */
export const BARE = { javaScriptEnabled: false, environment: { SAMPLE_ITEMS: '0' } };

/** With scripts, the browser follows no redirect: the script shows how far the file is, and opens the next page. */
const READ = [303, 204];

export async function importExport(
  page: Page,
  program: string,
  {
    name,
    file,
    things,
    photos = 0,
  }: Pick<RealExport, 'name' | 'things'> & {
    readonly file: string | Uint8Array;
    readonly photos?: number;
  },
): Promise<void> {
  const label = photos === 0 ? 'File' : 'Zip with photos';
  // One: open the page. Two: choose the file, and send it.
  await page.goto('/items/import');
  const choose = () =>
    page
      .getByLabel(label, { exact: true })
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(file) });
  await choose();
  assert.ok(READ.includes(await send(page, 'Read the file')));
  // Three: look at the columns, of which new fields are made.
  await showsHeading(page, `What the columns of ${name} are`);
  await page.getByText(`It looks like an export of ${program}.`).waitFor();
  assert.equal(await send(page, 'Show what it changes'), 303);
  // Four: look at the preview. Five: import.
  await showsHeading(page, `What ${name} changes`);
  const count = (await page.locator('.counts dd').first().textContent()) ?? '';
  assert.equal(count, String(things.length));
  const rows = `Import ${things.length} rows`;
  assert.equal(await send(page, photos === 0 ? rows : `${rows} and ${photos} photos`), 303);
  await showsHeading(page, `${name} was imported`);
  if (photos > 0) await page.getByText(`Photos added${photos}`).waitFor();
  // Again: nothing is new, and nobody has to say what the columns are.
  await page.goto('/items/import');
  await choose();
  assert.ok(READ.includes(await send(page, 'Read the file')));
  assert.equal(await page.getByText('What an update would change').count(), 0);
  if (photos === 0) {
    await page.getByText('Nothing new to import.').waitFor();
    return;
  }
  assert.equal(await page.locator('.counts dd').first().textContent(), '0');
  assert.equal(await send(page, 'Import'), 303);
  await page.getByText(`Photos already here${photos}`).waitFor();
}
