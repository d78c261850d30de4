/** Text that a browser puts into a newer page of the same address, whose hidden version and key are others. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { register, send, showsHeading, story } from './browser.ts';

const EDIT = '/items/2/edit';

/** As somebody else does, elsewhere. */
async function changeElsewhere(page: Page): Promise<void> {
  const markup = await (await page.request.get(EDIT)).text();
  const version = /name="version" value="(\d+)"/.exec(markup)?.[1] ?? '';
  const form = { name: 'Renamed elsewhere', quantity: '5', version };
  const headers = { 'sec-fetch-site': 'same-origin' };
  const answer = await page.request.post(`${EDIT}?send`, { form, headers, maxRedirects: 0 });
  assert.equal(answer.status(), 303);
}

story(
  'after Back to a page that another tab has loaded anew, the change of somebody else is not overwritten',
  async ({ page }) => {
    await register(page);
    await page.goto(EDIT);
    await page.getByLabel('Name').fill('Typed here');
    await changeElsewhere(page);
    // The browser stores the newer page, and with a window that can reach this one it does not store this one as it is.
    const opened = page.waitForEvent('popup');
    await page.evaluate(`void open('${EDIT}')`);
    const tab = await opened;
    assert.equal(await tab.getByLabel('Name').inputValue(), 'Renamed elsewhere');
    await page.goto('/items');
    await page.goBack();
    assert.equal(await page.getByLabel('Name').inputValue(), 'Typed here');

    assert.equal(await send(page, 'Save changes'), 409);
    await showsHeading(page, 'Renamed elsewhere was changed meanwhile');
    assert.equal(await send(page, 'Save changes'), 303);
    await showsHeading(page, 'Typed here No. 2');
  },
  { goesBack: true, needsScripts: true },
);
