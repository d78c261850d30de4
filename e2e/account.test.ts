import assert from 'node:assert/strict';
import { fillAccount, logInElsewhere, register, send, showsHeading, story } from './browser.ts';

story(
  'the account page ends a session, and the other browser is redirected to the log-in',
  async ({ page, openBrowser }) => {
    await register(page);
    const other = await logInElsewhere(openBrowser);
    await page.goto('/account');
    await page.getByText('this device').waitFor();
    await page.getByRole('link', { name: 'Log out there' }).click();
    await showsHeading(page, 'Log out another device');
    await page.getByLabel('Current password').fill('not this one');
    assert.equal(await send(page, 'Log out there'), 400);
    await page.getByRole('alert').getByText('Current password is incorrect').waitFor();
    await page.getByLabel('Current password').fill('correct horse battery');
    assert.equal(await send(page, 'Log out there'), 303);
    await page.getByRole('status').getByText('That device is now logged out.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Log out there' }).count(), 0);

    await other.goto('/items/new');
    await showsHeading(other, 'Log in');
  },
);

story(
  'a password change logs out every other browser',
  async ({ page, openBrowser }) => {
    await register(page);
    const other = await logInElsewhere(openBrowser);
    await page.goto('/account');
    await page.getByLabel('Current password').fill('not this one');
    await page.getByLabel('New password', { exact: true }).fill('battery staple');
    await page.getByLabel('New password again').fill('battery staple');
    assert.equal(await send(page, 'Change password'), 400);
    await page.getByRole('alert').getByText('Current password is incorrect').waitFor();

    await page.getByLabel('Current password').fill('correct horse battery');
    await page.getByLabel('New password', { exact: true }).fill('battery staple');
    await page.getByLabel('New password again').fill('battery staple');
    assert.equal(await send(page, 'Change password'), 303);
    await page.getByRole('status').getByText('Your password was changed').waitFor();
    assert.equal(new URL(page.url()).pathname, '/account');

    await other.goto('/account');
    await showsHeading(other, 'Log in');
    await fillAccount(other, { password: 'battery staple' });
    assert.equal(await send(other, 'Log in'), 303);
    await showsHeading(other, 'Account');
  },
  { onPostgresToo: true },
);
