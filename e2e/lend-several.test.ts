import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { register, send, showsHeading, story } from './browser.ts';

story(
  'six things are lent with four clicks and 24 keys, and returned with four clicks, without scripts',
  async ({ page }) => {
    await register(page);
    const rows = Array.from({ length: 12 }, (_, at) => `Radio ${at + 1},Hall`);
    const buffer = Buffer.from(`name,location\n${rows.join('\n')}\n`);
    await page.goto('/items/import');
    const file = { name: 'radios.csv', mimeType: 'text/csv', buffer };
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    assert.equal(await send(page, 'Read the file'), 303);
    assert.equal(await send(page, 'Import 12 rows'), 303);
    await showsHeading(page, 'radios.csv was imported');

    const used = { clicks: 0, keys: 0 };
    const click = async (one: Locator) => {
      used.clicks++;
      await one.click();
    };
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) {
        used.keys++;
        await page.keyboard.press(key);
      }
    };
    await page.goto('/items');
    await click(page.getByRole('link', { name: 'Select', exact: true }));
    await click(page.getByLabel('Radio 12', { exact: true }));
    // Each second one of twelve.
    for (let count = 1; count < 6; count++) await press('Tab', 'Tab', 'Space');
    await click(page.getByText('Lend…'));
    await press('Tab', ...'Grace', 'Tab', 'ArrowDown', 'ArrowDown');
    await click(page.getByRole('button', { name: 'Lend', exact: true }));
    await page.getByText(/^Lent 6 items to Grace, until \d+ \w+ \d{4}\.$/).waitFor();
    assert.deepEqual(used, { clicks: 4, keys: 24 });
    assert.equal(await page.locator('tbody tr').filter({ hasText: 'Grace' }).count(), 6);

    await page.goto('/items');
    await click(page.getByRole('link', { name: 'Loans' }));
    await click(page.getByRole('link', { name: 'Return all or some' }));
    await click(page.getByRole('button', { name: 'Remove Radio 2', exact: true }));
    await click(page.getByRole('button', { name: 'Return', exact: true }));
    await page.getByText('Marked 5 items as returned by Grace.').waitFor();
    assert.deepEqual(used, { clicks: 8, keys: 24 });
    // One is where one came from.
    await page.getByRole('heading', { name: 'Who has what' }).waitFor();
    assert.equal(await send(page, 'Undo'), 303);
    await page.getByText('5 changes were undone.').waitFor();
    await page.goto('/items/held?to=grace');
    assert.equal(await page.getByRole('listitem').filter({ hasText: 'Radio' }).count(), 6);
  },
  { javaScriptEnabled: false, onPostgresToo: true },
);

for (const width of [1280, 320])
  story(
    `six things are scanned, lent and returned by their numbers, ${width} px wide, without scripts`,
    async ({ page }) => {
      await register(page);
      const headers = { 'sec-fetch-site': 'same-origin' };
      for (let at = 1; at <= 6; at++) {
        const form = { name: `Radio ${at}`, quantity: at === 6 ? '12' : '1' };
        await page.request.post('/items', { form, headers });
      }
      const used = { clicks: 0, keys: 0 };
      const click = async (one: Locator) => {
        used.clicks++;
        await one.click();
      };
      const press = async (...keys: readonly string[]) => {
        for (const key of keys) {
          used.keys++;
          await page.keyboard.press(key);
        }
      };
      const rows = page.getByRole('listitem').filter({ hasText: 'Radio' });
      await page.goto('/items/held');
      await click(page.getByRole('link', { name: 'Lend things' }));
      await page.locator('#numbers:focus').waitFor();
      await press(...'1 2 3 4 5', 'Enter');
      await rows.nth(4).waitFor();
      // A scanner types a number or an address, and Enter; then the field is there for the next one.
      await page.keyboard.insertText('http://127.0.0.1/items/6');
      await press('Enter');
      await rows.nth(5).waitFor();
      await page.getByText('12 of 12 are here').waitFor();
      await page.getByLabel('How many Radio 6').fill('4');
      const box = await page.locator('body').evaluate((body) => body.scrollWidth);
      assert.ok(box <= width, `${box}`);
      await click(page.getByLabel('Who has it'));
      await press(...'Grace', 'Tab', 'ArrowDown', 'ArrowDown');
      await click(page.getByRole('button', { name: 'Lend', exact: true }));
      await page.getByText(/^Lent 6 items to Grace, until/).waitFor();
      await page.getByRole('heading', { name: 'Who has what' }).waitFor();
      assert.deepEqual(used, { clicks: 3, keys: 19 });

      await click(page.getByRole('link', { name: 'Return things' }));
      for (const number of [1, 6]) {
        await page.locator('#numbers:focus').waitFor();
        await page.keyboard.insertText(`#${number}`);
        await page.keyboard.press('Enter');
        await page.getByText(`No. ${number}`).waitFor();
      }
      await page.getByText(/^4 to Grace, until/).waitFor();
      await click(page.getByRole('button', { name: 'Return', exact: true }));
      await page.getByText('Marked 2 items as returned by Grace.').waitFor();
      assert.equal(await rows.count(), 4);
    },
    {
      javaScriptEnabled: false,
      viewport: { width, height: 800 },
      environment: { SAMPLE_ITEMS: '0' },
    },
  );
