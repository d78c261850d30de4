import assert from 'node:assert/strict';
import { register, send, showsHeading, story } from './browser.ts';
import { clickTwice, overSlowLine } from './slow-line.ts';

story(
  'what is ticked is kept over pages and searches without scripts, and changed once',
  overSlowLine(
    async (page, line) => {
      await register(page);
      const rows = Array.from({ length: 130 }, (_, at) => `Chair ${at + 1},Hall`);
      const buffer = Buffer.from(`name,location\n${rows.join('\n')}\n`);
      await page.goto('/items/import');
      const file = { name: 'chairs.csv', mimeType: 'text/csv', buffer };
      await page.getByLabel('File', { exact: true }).setInputFiles(file);
      assert.equal(await send(page, 'Read the file'), 303);
      assert.equal(await send(page, 'Import 130 rows'), 303);
      await showsHeading(page, 'chairs.csv was imported');

      await page.goto('/items?q=chair');
      await page.getByRole('link', { name: 'Select', exact: true }).click();
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      await page.getByLabel('Chair 130', { exact: true }).check();
      await press('Next →');
      await page
        .getByText('130 items match chair. 1 selected, 1 of them on other pages.')
        .waitFor();
      await page.getByLabel('Chair 2', { exact: true }).check();
      await page.getByText('Move…').click();
      await page.getByLabel('New location').fill('Cellar');
      await page.getByLabel('Search items to select').fill('drill');
      await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
      await page.getByLabel('Cordless drill').check();
      await press('Show the selected');
      await page.getByText('3 selected.').waitFor();
      assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 3);
      await page.reload();
      assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 3);
      assert.equal(await page.getByLabel('New location').inputValue(), 'Cellar');
      await page.getByLabel('Chair 2', { exact: true }).uncheck();
      await press('Show the list');
      await page.getByText('1 item matches drill. 2 selected, 1 of them on other pages.').waitFor();
      await clickTwice(line, page.getByRole('button', { name: 'Move', exact: true }));
      await page.getByText('Moved 2 items to Cellar.').waitFor();
      assert.equal(await send(page, 'Undo'), 303);
      await page.getByText('2 changes were undone.').waitFor();
      await page.goto('/items/history');
      assert.equal(await page.getByRole('link', { name: 'moved 2 items to Cellar' }).count(), 1);
    },
    { javaScriptEnabled: false },
  ),
);
