import assert from 'node:assert/strict';
import { ACCOUNT, countItems, register, showsHeading, story } from './browser.ts';
import { overSlowLine } from './slow-line.ts';

story(
  'a double click on Save over a slow connection saves one item',
  overSlowLine(async (page, line, site) => {
    await register(page);
    await page.goto('/items/new');
    await page.getByLabel('Name').fill('Ladder');
    line.isSlow = true;
    await page
      .getByRole('button', { name: 'Save item' })
      .dblclick({ delay: 60, noWaitAfter: true });
    await showsHeading(page, 'Ladder No. 7');
    line.isSlow = false;
    assert.equal(site.log().match(/\[POST\] \/items 303/g)?.length, 2);
    assert.equal(await countItems(page), '7 items');
  }),
  { onPostgresToo: true },
);

story(
  'a double click on Change password over a slow connection changes it once and keeps the log-in',
  overSlowLine(async (page, line) => {
    await register(page);
    await page.goto('/account');
    await page.getByLabel('Current password').fill(ACCOUNT.password);
    await page.getByLabel('New password', { exact: true }).fill('battery staple');
    await page.getByLabel('New password again').fill('battery staple');
    line.isSlow = true;
    await page
      .getByRole('button', { name: 'Change password' })
      .dblclick({ delay: 60, noWaitAfter: true });
    await page.getByRole('status').getByText('Your password was changed').waitFor();
    line.isSlow = false;
    await page.goto('/account');
    await showsHeading(page, 'Account');
  }),
);
