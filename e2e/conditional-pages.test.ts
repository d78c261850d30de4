/** The list is kept by the browser: it must show what is there, and to nobody who has logged out. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { register, send, showsHeading, story } from './browser.ts';

/** The status that the server gave for the list, which the browser hides when it is a 304. */
async function revisitList(page: Page): Promise<{ readonly isKept: boolean }> {
  const answer = page.waitForResponse('/items');
  await page.getByRole('link', { name: 'Items', exact: true }).click();
  const { responseHeadersSize, responseBodySize } = await (await answer).request().sizes();
  assert.ok(responseHeadersSize > 0, 'the server was not asked');
  return { isKept: responseBodySize === 0 };
}

story('the list is loaded once, and shows a new item as soon as there is one', async ({ page }) => {
  await register(page);
  await page.goto('/items/1');
  await revisitList(page);
  await showsHeading(page, 'Items 6 items');
  await page.goto('/items/1');
  assert.equal((await revisitList(page)).isKept, true);
  await showsHeading(page, 'Items 6 items');

  await page.getByRole('link', { name: 'Add item' }).first().click();
  await page.getByLabel('Name').fill('Ladder');
  assert.equal(await send(page, 'Save item'), 303);
  await showsHeading(page, 'Ladder No. 7');
  assert.equal((await revisitList(page)).isKept, false);
  await showsHeading(page, 'Items 7 items');
  await page.getByRole('link', { name: 'Ladder' }).waitFor();
});

story('E11: after logging out, Back shows no list of somebody logged in', async ({ page }) => {
  await register(page);
  await page.goto('/items');
  await page.getByText('Logged in as ada').waitFor();
  assert.equal(await send(page, 'Log out'), 303);
  await page.waitForURL('/login');
  await page.waitForLoadState('load');

  await page.goBack({ waitUntil: 'commit' });

  await showsHeading(page, 'Items 6 items');
  await page.getByRole('link', { name: 'Log in' }).waitFor();
  assert.equal(await page.getByText('Logged in as').count(), 0);
});
