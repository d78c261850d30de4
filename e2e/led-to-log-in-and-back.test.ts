import assert from 'node:assert/strict';
import { fillAccount, logOut, register, send, showsHeading, story } from './browser.ts';

story('a visitor is redirected to the log-in and then to the requested page', async ({ page }) => {
  await register(page);
  await logOut(page);

  await page.goto('/items');
  assert.equal(await page.getByRole('link', { name: 'Add item' }).count(), 0);
  await page.goto('/items/new');
  await page.getByText('Log in to continue.').waitFor();
  assert.equal(new URL(page.url()).search, '?next=%2Fitems%2Fnew');

  await fillAccount(page, { password: 'a slip of the hand' });
  assert.equal(await send(page, 'Log in'), 401, 'a failed try does not forget the page');
  await fillAccount(page);
  assert.equal(await send(page, 'Log in'), 303);

  await page.waitForURL('/items/new');
  await showsHeading(page, 'Add an item');
  await page.getByText('Logged in as ada').waitFor();
});

story('a visitor who registers on the way gets to the page too', async ({ page }) => {
  await page.goto('/items/new');
  await page.getByRole('link', { name: 'create the first one' }).click();
  await fillAccount(page);
  await send(page, 'Create account');

  await page.waitForURL('/items/new');
  await showsHeading(page, 'Add an item');
});

story('a log-in never leads to another site', async ({ page, site }) => {
  await register(page);
  for (const next of [
    'https://elsewhere.example/',
    '//elsewhere.example',
    '/\\elsewhere.example',
  ]) {
    await logOut(page);
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    await fillAccount(page);
    await send(page, 'Log in');

    await page.getByText('Logged in as ada').waitFor();
    assert.equal(page.url(), `${site.url}/items`, next);
  }
});
