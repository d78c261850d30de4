import assert from 'node:assert/strict';
import { register, send, showsHeading, story } from './browser.ts';

const FILE = [
  'number,name,quantity,location',
  '2,Hammer drill,1,Workshop',
  '3,HDMI cable,7,Workshop',
  ',Ladder,1,Cellar',
  ',Rope,many,Cellar',
  ...Array.from({ length: 600 }, (_, at) => `,Shelf ${at + 1},1,Hall`),
].join('\r\n');

story(
  'a CSV file is checked on a preview, imported in the background, and undone',
  async ({ page }) => {
    await register(page);
    await page.goto('/items');
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await showsHeading(page, 'Import items');
    const file = page.getByLabel('CSV file');
    await file.setInputFiles({ name: 'x.xlsx', mimeType: '', buffer: Buffer.from('PK\u{3}\u{4}') });
    assert.equal(await send(page, 'Show what it changes'), 400);
    await page.getByRole('alert').getByText('The file is a workbook').waitFor();

    const buffer = Buffer.from(FILE);
    await file.setInputFiles({ name: 'things.csv', mimeType: 'text/csv', buffer });
    assert.equal(await send(page, 'Show what it changes'), 303);
    await showsHeading(page, 'What things.csv changes');
    await page.getByText('quantity “many”: Quantity must be a whole number, like 3.').waitFor();
    await page.getByText('Hammer drill', { exact: true }).waitFor();
    // A reload sends no file.
    await page.reload();
    assert.equal(await send(page, 'Import 603 rows'), 303);
    // The page of a running import loads itself again until it is done.
    await showsHeading(page, 'things.csv was imported');
    // The new item tells where it comes from.
    await page.goto('/items?q=ladder');
    await page.getByRole('link', { name: 'Ladder', exact: true }).click();
    await showsHeading(page, 'Ladder No. 7');
    await page.goto('/items/7/history');
    await page.getByText('added it').waitFor();
    await page.getByRole('link', { name: 'with other items' }).click();
    await showsHeading(page, 'Imported 603 items from things.csv');
    assert.equal(await send(page, 'Undo all'), 303);
    await page.getByText('603 changes were undone.').waitFor();
    await page.goto('/items/2');
    await showsHeading(page, 'Cordless drill No. 2');
    assert.equal((await page.goto('/items/7'))?.status(), 404);
    await showsHeading(page, 'Ladder was deleted');
    await page.goto('/items/import');
    await page.getByRole('link', { name: 'things.csv' }).click();
    await page.getByRole('link', { name: 'what was imported' }).waitFor();
    await page.goto('/items/import');
    await page.goto('/items/import');
    await page.getByText('601 added, 2 changed').waitFor();
  },
  { javaScriptEnabled: false, onPostgresToo: true },
);
