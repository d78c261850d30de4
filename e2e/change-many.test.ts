import assert from 'node:assert/strict';
import { countItems, register, send, showsHeading, story } from './browser.ts';

story(
  'ticked items are moved and deleted at once without scripts, and one button undoes each',
  async ({ page }) => {
    await register(page);
    await page.goto('/items?sort=name');
    await page.getByRole('link', { name: 'Select items' }).click();
    await showsHeading(page, 'Select items');
    // The label is over the whole row, so what is pressed is not the location itself.
    await page
      .getByRole('row', { name: 'Cordless drill' })
      .getByText('Workshop, wall')
      .click({ force: true });
    await page.getByLabel('Label printer').check();
    await page.getByLabel('New location').fill('Cellar');
    assert.equal(await send(page, 'Move'), 303);
    assert.ok(page.url().endsWith('/items?sort=name'));
    await page.getByText('Moved 2 items to Cellar.').waitFor();
    await page.getByRole('row', { name: 'Cordless drill' }).getByText('Cellar').waitFor();
    assert.equal(await send(page, 'Undo'), 303);
    await page.getByText('2 changes were undone.').waitFor();

    await page.goto('/items/select');
    assert.equal(await send(page, 'Delete'), 400);
    await page.getByRole('alert').getByRole('link', { name: 'Tick at least one item' }).waitFor();
    await page.getByRole('link', { name: 'Tick all' }).click();
    assert.equal(await send(page, 'Delete'), 303);
    await page.getByText('Deleted 6 items.').waitFor();
    await page.getByText('Nothing here yet.').waitFor();

    await page.goto('/items/history');
    await page.getByRole('link', { name: 'deleted 6 items' }).click();
    await showsHeading(page, 'Deleted 6 items');
    assert.equal(await send(page, 'Undo all'), 303);
    await page.getByText('6 changes were undone.').waitFor();
    assert.equal(await countItems(page), '6 items');
  },
  { javaScriptEnabled: false, onPostgresToo: true },
);
