import assert from 'node:assert/strict';
import { countItems, fillAccount, logOut, send, showsHeading, story } from './browser.ts';

const NARROW = { viewport: { width: 320, height: 640 } };

story(
  'the whole way works at 320 pixels and without a script',
  async ({ page }) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'create the first account' }).click();
    await fillAccount(page);
    assert.equal(await send(page, 'Create account'), 303);

    await page.getByRole('main').getByRole('link', { name: 'Add item' }).click();
    await showsHeading(page, 'Add an item');
    await page.getByLabel('Location').fill('Cellar');
    assert.equal(await send(page, 'Save item'), 400);
    await page.getByRole('link', { name: 'Enter a name' }).click();
    await page.locator('#name:focus').fill('Sledge');
    assert.equal(await send(page, 'Save item'), 303);
    await showsHeading(page, 'Sledge No. 7');

    await page.getByRole('link', { name: 'All items' }).click();
    await page.getByRole('link', { name: 'Sledge' }).click();
    await page.getByText('Cellar').waitFor();
    assert.equal(await logOut(page), 303);
    await page.waitForURL('/login');
    await fillAccount(page, { password: 'wrong' });
    assert.equal(await send(page, 'Log in'), 401);
    await fillAccount(page);
    assert.equal(await send(page, 'Log in'), 303);
    await page.getByText('Logged in as ada').waitFor();
    assert.equal(await countItems(page), '7 items');
  },
  { ...NARROW, javaScriptEnabled: false },
);
