import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { countItems, fillAccount, logIn, register, send, showsHeading, story } from './browser.ts';

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

story(
  'a quantity is changed with and without typing, and an item is deleted and brought back',
  async ({ page }) => {
    await register(page);
    await page.goto('/items/3');
    await page.getByLabel('Amount').fill('3');
    await page.getByLabel('Reason').fill('for the fair');
    assert.equal(await send(page, 'Take'), 303);
    await page.getByRole('status').getByText('Quantity is now 4 (was 7).').waitFor();
    await page.getByText('took 3: “for the fair”').waitFor();
    assert.equal(await send(page, 'Add one'), 303);
    await page.getByRole('status').getByText('Quantity is now 5 (was 4).').waitFor();
    await page.getByLabel('Amount').fill('2');
    assert.equal(await send(page, 'Set to'), 303);
    await page.getByText('set the quantity to 2').waitFor();
    // The first Undo is that of the message.
    await page.locator('.flash').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('region', { name: 'Quantity' }).getByText('5', { exact: true }).waitFor();
    await page.getByLabel('Amount').fill('9');
    await page.getByLabel('Reason').fill('too many');
    assert.equal(await send(page, 'Take'), 400);
    await page.getByRole('alert').getByText('Take 5 or fewer').waitFor();
    assert.equal(await page.getByLabel('Reason').inputValue(), 'too many');

    await page.goto('/items/3');
    assert.equal(await send(page, 'Delete'), 303);
    await page.getByText('“HDMI cable, 3 m” was deleted.').waitFor();
    assert.equal(await send(page, 'Undo'), 303);
    await showsHeading(page, 'HDMI cable, 3 m No. 3');
    assert.equal(await send(page, 'Delete'), 303);
    assert.equal(await countItems(page), '5 items');
    await page.goto('/items/3');
    await showsHeading(page, 'HDMI cable, 3 m was deleted');
    assert.equal(await send(page, 'Restore'), 303);
    assert.equal(await countItems(page), '6 items');
  },
  NO_SCRIPT,
);

story(
  'an edit after the session has ended comes back after the log-in, and then saves',
  async ({ page }) => {
    await register(page);
    await page.goto('/items/1');
    await page.getByRole('link', { name: 'Edit' }).click();
    await showsHeading(page, 'Edit Label printer');
    await page.getByLabel('Location').fill('Cellar');
    await page.context().clearCookies();
    assert.equal(await send(page, 'Save changes'), 401);
    await fillAccount(page);
    assert.equal(await send(page, 'Log in'), 303);
    await showsHeading(page, 'Edit Label printer');
    assert.equal(await page.getByLabel('Location').inputValue(), 'Cellar');
    assert.equal(await send(page, 'Save changes'), 303);
    await showsHeading(page, 'Label printer No. 1');
    await page.getByRole('link', { name: 'Add another like this' }).click();
    assert.equal(await page.getByLabel('Location').inputValue(), 'Cellar');
    assert.equal(await send(page, 'Save and add another'), 303);
    await page.getByRole('status').getByText('“Label printer” was saved as No. 7.').waitFor();
    assert.equal(await page.getByLabel('Name').inputValue(), '');
  },
  NO_SCRIPT,
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
