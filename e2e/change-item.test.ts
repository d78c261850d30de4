import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { logIn, register, send, showsHeading, story } from './browser.ts';

const NO_SCRIPT = { javaScriptEnabled: false };

story(
  'two people edit one item in two browsers without scripts, and nothing is lost',
  async ({ page: ada, openBrowser }) => {
    await register(ada);
    const grace = await (await openBrowser(NO_SCRIPT)).newPage();
    await logIn(grace);
    for (const page of [ada, grace]) await page.goto('/items/2/edit');
    await grace.getByLabel('Name').fill('Hammer drill');
    await grace.getByLabel('Description').fill('Three batteries.');
    await ada.getByLabel('Location').fill('Cellar');
    await ada.getByLabel('Description').fill('Two batteries.\nOne is old.');
    assert.equal(await send(grace, 'Save changes'), 303);
    await showsHeading(grace, 'Hammer drill No. 2');

    assert.equal(await send(ada, 'Save changes'), 409);
    await showsHeading(ada, 'Hammer drill was changed meanwhile');
    const chosen = (field: string, whose: string) =>
      ada.getByRole('group', { name: field }).getByRole('radio', { name: whose }).isChecked();
    assert.ok(await chosen('Name', 'Theirs: Hammer drill'));
    assert.ok(await chosen('Location', 'Yours: Cellar'));
    assert.ok(await chosen('Description', 'Yours: Two batteries.'));
    await ada.getByRole('radio', { name: 'Theirs: Three batteries.' }).check();
    assert.equal(await send(ada, 'Save changes'), 303);
    await showsHeading(ada, 'Hammer drill No. 2');
    for (const text of ['Cellar', 'Three batteries.'])
      await ada.getByRole('main').getByText(text, { exact: true }).first().waitFor();

    // What was overwritten is in the history, and one button brings it back.
    await ada.getByRole('link', { name: 'All changes' }).click();
    await showsHeading(ada, 'History of Hammer drill No. 2');
    assert.equal(await pressUndo(ada, 'Cordless drill'), 303);
    await showsHeading(ada, 'Cordless drill No. 2');
  },
  { ...NO_SCRIPT, onPostgresToo: true },
);

/** Undoes the change whose old name this was. */
async function pressUndo(page: Page, oldName: string): Promise<number> {
  const record = page
    .getByRole('listitem')
    .filter({ has: page.locator('del', { hasText: oldName }) });
  const answer = page.waitForResponse((response) => response.request().method() === 'POST');
  await record.getByRole('button', { name: 'Undo' }).click();
  return (await answer).status();
}
