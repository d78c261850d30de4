import assert from 'node:assert/strict';
import { register, send, showsHeading, story } from './browser.ts';
import { countInputs } from './count-inputs.ts';
import { tellScans } from './tell-scans.ts';

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

    const { used, click, press } = countInputs(page);
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

tellScans(320);
