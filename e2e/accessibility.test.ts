/** The pages that people see most; accessibility.release.test.ts looks at all the others. */
import assert from 'node:assert/strict';
import { register, send, story } from './browser.ts';
import { watchAccessibility } from './watch-accessibility.ts';

story(
  'axe finds nothing on a list, an item and a refused form, and the browser has no complaint',
  async ({ page }) => {
    const { check, complaints, findings } = watchAccessibility(page);
    await register(page);
    await check('list', 'Items 6 items');
    await page.goto('/items/2');
    await check('item', 'Cordless drill No. 2');
    await page.goto('/items/new');
    await page.getByLabel('Tags').fill('long '.repeat(9));
    await page.getByLabel('Quantity').fill('three');
    await send(page, 'Save item');
    await check('form with errors', 'There is a problem');
    assert.deepEqual(complaints, []);
    assert.deepEqual(findings, []);
  },
);
