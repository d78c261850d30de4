import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { register, type Story, showsHeading, story } from './browser.ts';
import { photo, tellPhotos, waitForPictures } from './tell-photos.ts';

story(
  'photos are taken, kept through refusals, ordered, described, removed and brought back',
  tellPhotos,
);

/** The picture takes the same place before it arrives and after. */
async function keepsItsPlace(page: Page, selector: string): Promise<number> {
  const { promise: arrives, resolve: arrive } = Promise.withResolvers<void>();
  await page.route('**/files/*/*', (route) => arrives.then(() => route.continue()));
  await page.goto(page.url(), { waitUntil: 'domcontentloaded' });
  const picture = page.locator(selector);
  const before = await picture.boundingBox();
  arrive();
  await page.waitForLoadState('load');
  const after = await picture.boundingBox();
  await page.unroute('**/files/*/*');
  assert.ok(before !== null && after !== null);
  // Less than a pixel: its width and height are rounded.
  for (const side of ['x', 'y', 'width', 'height'] as const)
    assert.ok(Math.abs(before[side] - after[side]) < 1, `${side}: ${before[side]}, ${after[side]}`);
  return after.height;
}

async function tellThatNothingMoves({ page }: Story): Promise<void> {
  await register(page);
  await page.goto('/items/new');
  await page.getByLabel('Name', { exact: true }).fill('Drill');
  const tall = await page.screenshot({
    type: 'jpeg',
    clip: { x: 0, y: 0, width: 400, height: 700 },
  });
  await page.getByLabel('Photos and documents').setInputFiles([photo('tall.jpg', tall)]);
  await page.getByRole('button', { name: 'Save item' }).click();
  await showsHeading(page, 'Drill No. 7');
  await waitForPictures(page, 1);
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    assert.equal(Math.floor(await keepsItsPlace(page, '.files > figure img')), 400);
  }
  await page.locator('.files > figure a').click();
  await keepsItsPlace(page, '.large img');
}

story('a page of photos does not move when they arrive', tellThatNothingMoves);
