import assert from 'node:assert/strict';
import { logOut, register, story } from './browser.ts';

story(
  'E11: after logging out, Back shows nothing private',
  async ({ page }) => {
    await register(page);
    await page.getByRole('link', { name: 'Add item' }).first().click();
    await page.getByLabel('Name').fill('A surprise for Grace');
    assert.equal(await logOut(page), 303);
    await page.waitForURL('/login');
    const names = (await page.context().cookies()).map(({ name }) => name);
    const left = names.map((name) => name.replace('__Host-', ''));
    assert.deepEqual(left, ['device'], 'what is left logs nobody in');

    await page.goBack({ waitUntil: 'commit' });

    await page.getByText('Log in to continue.').waitFor();
    assert.equal(await page.getByText('Logged in as').count(), 0);
    assert.equal(await page.getByLabel('Name', { exact: true }).count(), 0);
  },
  { goesBack: true },
);
