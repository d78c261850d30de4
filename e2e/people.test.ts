import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { fillAccount, register, send, showsHeading, story } from './browser.ts';

const PLAIN = { javaScriptEnabled: false };

async function makeLink(page: Page): Promise<string> {
  assert.equal(await send(page, 'Make a link'), 303);
  return (await page.getByRole('status').locator('code').textContent()) ?? '';
}

async function changeRole(page: Page, role: string): Promise<void> {
  await page.goto('/people');
  await page.getByRole('link', { name: 'grace', exact: true }).click();
  await page.getByLabel('Role').selectOption({ value: role });
  assert.equal(await send(page, 'Change role'), 303);
  await page.getByRole('status').getByText(`The role of grace is now ${role}`).waitFor();
}

story(
  'an administrator invites a reader, who may not change items, and removes them',
  async ({ page, openBrowser }) => {
    await register(page);
    await page.goto('/people');
    await page.getByLabel('Name').fill('Grace Hopper');
    await page.getByLabel('Role').selectOption({ value: 'reader' });
    const link = await makeLink(page);
    const reader = await (await openBrowser(PLAIN)).newPage();
    await reader.goto(link);
    await fillAccount(reader, { username: 'grace' });
    assert.equal(await send(reader, 'Create account'), 303);
    await showsHeading(reader, 'Items 6 items');
    assert.equal(await reader.getByRole('link', { name: 'Add item' }).count(), 0);
    assert.equal((await reader.goto('/items/new'))?.status(), 403);
    await reader.getByText('Ask an administrator to change your role: ada.').waitFor();

    await changeRole(page, 'member');
    await reader.goto('/items/new');
    await reader.getByLabel('Name').fill('Half a story');
    await changeRole(page, 'reader');
    assert.equal(await send(reader, 'Save item'), 403);
    await showsHeading(reader, 'You can’t change items');
    await reader.getByText('Nothing was saved or changed.').waitFor();
    await reader.getByText('Half a story').waitFor();

    await reader.goto('/account/name');
    await reader.getByLabel('Name').fill('Grace Hopper');
    assert.equal(await send(reader, 'Save name'), 303);
    await reader.getByText('Others now see you as Grace Hopper').waitFor();
    await page.goto('/items/1/lend');
    await page.getByLabel('Who has it').fill('grace');
    assert.equal(await send(page, 'Lend'), 303);
    await page.goto('/items/history?kind=lent&person=1');
    await page.getByText('to Grace Hopper').waitFor();
    await page.goto('/people/2');
    await showsHeading(page, 'Grace Hopper has 1 item');
    assert.equal(await send(page, 'Remove Grace Hopper'), 303);
    await page.getByText('Grace Hopper was removed').waitFor();
    await showsHeading(page, 'Grace Hopper still has 1 item');
    await reader.goto('/account');
    await showsHeading(reader, 'Log in');
    await fillAccount(reader, { username: 'grace' });
    assert.equal(await send(reader, 'Log in'), 401);
    await page.goto('/people');
    await showsHeading(page, 'Removed');
  },
  PLAIN,
);
