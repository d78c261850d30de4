import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { countItems, register, send, showsHeading, story } from './browser.ts';

async function fillLadder(page: Page): Promise<void> {
  await page.goto('/items/new');
  await page.getByLabel('Name').fill('Ladder');
  await page.getByLabel('Description').fill('Three metres.\nWipe the feet.');
  await page.getByLabel('Quantity').fill('2');
  await page.getByLabel('Location').fill('Workshop');
  await page.getByLabel('Tags').fill('tools, lent out');
}

story('a saved item has a page, and refreshing it saves nothing again', async ({ page }) => {
  await register(page);
  await fillLadder(page);
  assert.equal(await send(page, 'Save item'), 303);

  await page.waitForURL('/items/7');
  await showsHeading(page, 'Ladder No. 7');
  assert.equal(await page.getByRole('status').textContent(), 'The item was saved.');
  // A screen reader reads it, and Tab goes on from it. Nobody can press it, so it has no ring.
  await page.locator('.flash:focus').waitFor();
  const ring = 'getComputedStyle(document.activeElement).outlineStyle';
  assert.equal(await page.evaluate(ring), 'none');
  assert.equal(
    await page.locator('.description').textContent(),
    'Three metres.\nWipe the feet.',
    'the line break is kept',
  );
  for (const value of ['2', 'Workshop', 'tools', 'lent out'])
    await page.getByRole('main').getByText(value, { exact: true }).waitFor();
  await page.getByText(/by ada$/).waitFor();

  const methods: string[] = [];
  page.on('request', (request) => methods.push(request.method()));
  await page.reload();
  assert.equal(methods[0], 'GET');
  assert.ok(!methods.includes('POST'));
  assert.equal(await page.getByRole('status').count(), 0, 'the message is shown once');
  assert.equal(await countItems(page), '7 items');
  const row = page.getByRole('row').nth(1);
  assert.equal(await row.getByRole('rowheader').textContent(), 'Ladder', 'the newest is on top');
});

story(
  'going Back to the form shows what was typed, also on a page that Chromium loads again',
  async ({ page }) => {
    await register(page);
    await fillLadder(page);
    // Such a page does not stay in memory.
    await page.evaluate("addEventListener('unload', () => {})");
    await page.getByRole('link', { name: 'Items', exact: true }).click();
    await showsHeading(page, 'Items 6 items');

    await page.goBack({ waitUntil: 'commit' });

    await showsHeading(page, 'Add an item');
    // It stands behind the form: what was typed is there when the form is complete.
    await page.locator('.site-footer').waitFor();
    for (const [label, text] of [
      ['Name', 'Ladder'],
      ['Description', 'Three metres.\nWipe the feet.'],
      ['Quantity', '2'],
      ['Location', 'Workshop'],
      ['Tags', 'tools, lent out'],
    ] as const)
      assert.equal(await page.getByLabel(label).inputValue(), text, label);
  },
  { goesBack: true },
);
