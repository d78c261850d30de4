/** The story of photos: told once in `npm test`, and in more browsers by things.release.test.ts. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PHOTOS } from '../application/testing/photos.ts';
import { fillAccount, register, type Story, send, showsHeading } from './browser.ts';

export const photo = (name: string, bytes: Uint8Array = PHOTOS.jpeg) => ({
  ...{ name, mimeType: 'image/jpeg', buffer: Buffer.from(bytes) },
});

/** The pictures of a page are made a moment after its form: the page shows them when it is loaded again. */
export async function waitForPictures(page: Page, count: number): Promise<void> {
  const pictures = page.locator('.files img');
  for (let tries = 0; tries < 200 && (await pictures.count()) < count; tries++) {
    await page.waitForTimeout(100);
    await page.reload();
  }
  assert.equal(await pictures.count(), count);
}

export async function tellPhotos({ page }: Story): Promise<void> {
  await register(page);
  // A refused form keeps the photo, and so does a log-in in the middle.
  await page.goto('/items/new');
  await page.getByLabel('Photos and documents').setInputFiles([photo('front.jpg')]);
  assert.equal(await send(page, 'Save item'), 400);
  await page.getByText('front.jpg').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Drill');
  await page.context().clearCookies();
  assert.equal(await send(page, 'Save item'), 401);
  await fillAccount(page);
  await send(page, 'Log in');
  await page.getByText('front.jpg').waitFor();
  assert.equal(await send(page, 'Save item'), 303);
  await showsHeading(page, 'Drill No. 7');
  await waitForPictures(page, 1);

  // Two more, in two taps: the field, and the button.
  const box = page.locator('.add-files');
  await box
    .getByLabel('Photos and documents')
    .setInputFiles([photo('side.heic', PHOTOS.heic), photo('back.png', PHOTOS.png)]);
  assert.equal(await send(page, 'Add photos'), 303);
  await page.getByText('2 photos were added.').waitFor();
  await waitForPictures(page, 3);

  // The large view works without a script; the second photo becomes the picture.
  await page.locator('.photos a').first().click();
  await page.getByLabel('Caption').fill('From the side');
  assert.equal(await send(page, 'Save caption'), 303);
  await page.getByRole('heading', { name: 'From the side' }).waitFor();
  assert.equal(await send(page, 'Use as the picture'), 303);
  const first = page.locator('.files > figure img');
  assert.equal(await first.getAttribute('alt'), 'From the side');
  await page.goto('/items');
  const inList = page.locator('.items img').first();
  assert.deepEqual(
    await inList.evaluate((one) => {
      const { width, height } = (
        one as unknown as { getBoundingClientRect(): { width: number; height: number } }
      ).getBoundingClientRect();
      return [width, height];
    }),
    [40, 40],
  );

  // Removed, and brought back whole.
  await page.goto('/items/7');
  await page.locator('.files > figure a').click();
  assert.equal(await send(page, 'Remove'), 303);
  assert.equal(await page.locator('.files img').count(), 2);
  await page.locator('main').getByRole('button', { name: 'Undo' }).first().click();
  await page.getByText('The change was undone.').waitFor();
  assert.equal(await first.getAttribute('alt'), 'From the side');
}
