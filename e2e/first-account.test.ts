import assert from 'node:assert/strict';
import { fillAccount, send, showsHeading, story } from './browser.ts';

story('the first visitor registers and is logged in', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'create the first one' }).click();
  await showsHeading(page, 'Create the first account');

  await fillAccount(page);
  assert.equal(await send(page, 'Create account'), 303);

  await page.waitForURL('/items');
  await page.getByText('Logged in as ada').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Log in' }).count(), 0);
});

story('after the first account, registration is closed', async ({ page, openBrowser }) => {
  const second = await (await openBrowser()).newPage();
  await second.goto('/register');
  await fillAccount(second, { username: 'mallory' });
  await page.goto('/register');
  await fillAccount(page);
  await send(page, 'Create account');

  assert.equal(await send(second, 'Create account'), 403, 'a form that was open before');
  await showsHeading(second, 'New accounts need an invitation');
  await second.getByText('No account was created.').waitFor();

  const closed = await second.goto('/register');
  assert.equal(closed?.status(), 403);
  await showsHeading(second, 'New accounts need an invitation');
  assert.equal(await second.getByLabel('Username').count(), 0);

  await second.getByRole('main').getByRole('link', { name: 'log in' }).click();
  await fillAccount(second, { username: 'mallory' });
  assert.equal(await second.getByRole('link', { name: /create/i }).count(), 0);
  assert.equal(await send(second, 'Log in'), 401, 'the refused account does not exist');
});
