import assert from 'node:assert/strict';
import { fillAccount, register, send, showsHeading, story } from './browser.ts';

story(
  'an administrator invites a colleague, who registers in another browser',
  async ({ page, openBrowser, site }) => {
    await register(page);
    await page.getByText('Logged in as ada').click();
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByLabel('Name').fill('Grace Hopper');
    assert.equal(await send(page, 'Make a link'), 303);
    const status = page.getByRole('status');
    const link = (await status.locator('code').textContent()) ?? '';
    assert.ok(link.startsWith(`${site.url}/register?invitation=`), link);

    await page.reload();
    await page.getByText('Show the link').click();
    await page.getByText(link).waitFor();

    const colleague = await (await openBrowser()).newPage();
    await colleague.goto(link);
    await showsHeading(colleague, 'Create an account');
    await fillAccount(colleague, { username: 'grace', password: 'password' });
    assert.equal(await send(colleague, 'Create account'), 400);
    await colleague.getByRole('alert').getByText('harder to guess').waitFor();
    await fillAccount(colleague, { username: 'grace' });
    assert.equal(await send(colleague, 'Create account'), 303);
    await colleague.getByText('Logged in as grace').waitFor();

    const late = await (await openBrowser()).newPage();
    assert.equal((await late.goto(link))?.status(), 403);
    await showsHeading(late, 'This invitation cannot be used');

    await page.reload();
    assert.equal(await page.getByRole('button', { name: 'Withdraw' }).count(), 0);
  },
);
