import assert from 'node:assert/strict';
import {
  countItems,
  fillAccount,
  logInElsewhere,
  register,
  send,
  showsHeading,
  story,
} from './browser.ts';

const NOTE = 'Three metres.\nWipe the feet.';

story(
  'a form whose session was ended from another browser comes back after the log-in, and is saved once',
  async ({ page, openBrowser }) => {
    await register(page);
    await page.goto('/items/new');
    await page.getByLabel('Name').fill('Ladder');
    await page.getByLabel('Description').fill(NOTE);
    await page.getByLabel('Quantity').fill('2');
    await page.getByLabel('Tags').fill('tools, lent out');

    const other = await logInElsewhere(openBrowser);
    await other.goto('/account');
    await other.getByRole('link', { name: 'Log out there' }).click();
    assert.equal(await send(other, 'Log out there'), 303);

    assert.equal(await send(page, 'Save item'), 401);
    await showsHeading(page, 'Log in to continue');
    await page.getByText('What you typed is kept on this page').waitFor();
    await fillAccount(page, { password: 'a wrong password' });
    assert.equal(await send(page, 'Log in'), 401);
    await page.getByText('What you typed is kept on this page').waitFor();
    await fillAccount(page);
    assert.equal(await send(page, 'Log in'), 303);

    await page.waitForURL('/items/new');
    await page.getByText('not saved yet').waitFor();
    assert.equal(await page.getByLabel('Name').inputValue(), 'Ladder');
    assert.equal(await page.getByLabel('Description').inputValue(), NOTE);
    assert.equal(await page.getByLabel('Quantity').inputValue(), '2');
    assert.equal(await page.getByLabel('Tags').inputValue(), 'tools, lent out');
    await page.reload();
    assert.equal(await page.getByLabel('Name').inputValue(), 'Ladder', 'a refresh loses nothing');
    assert.equal(await countItems(other), '6 items', 'it was not sent by itself');

    assert.equal(await send(page, 'Save item'), 303);
    await showsHeading(page, 'Ladder No. 7');
    assert.equal(await countItems(page), '7 items');
    await page.goto('/items/new');
    assert.equal(await page.getByLabel('Name').inputValue(), '', 'the draft is done with');
  },
  { onPostgresToo: true },
);
