import assert from 'node:assert/strict';
import { register, send, showsHeading, story } from './browser.ts';

story(
  'a location is renamed and merged without scripts, and undone with one button',
  async ({ page }) => {
    await register(page);
    await page.goto('/items');
    await page.getByRole('link', { name: 'Locations', exact: true }).click();
    await showsHeading(page, 'Locations');
    await page.getByRole('link', { name: 'Rename Workshop, wall' }).click();
    await showsHeading(page, 'Rename the location “Workshop, wall”');
    await page.getByLabel('New name').fill('office, drawer 2');
    assert.equal(await send(page, 'Rename'), 400);
    await page.getByText('There is a location “Office, drawer 2” already, with 1 item.').waitFor();
    assert.equal(await send(page, 'Merge'), 303);
    await showsHeading(page, 'Locations');
    await page.getByRole('row', { name: 'Office, drawer 2 2' }).waitFor();
    assert.equal(await send(page, 'Undo'), 303);
    await page.getByText('1 change was undone.').waitFor();
    await page.goto('/items/locations');
    await page.getByRole('row', { name: 'Workshop, wall 1' }).waitFor();

    // No item is in the room itself.
    await page.getByRole('link', { name: 'Rename Meeting room', exact: true }).click();
    await page.getByLabel('New name').fill('Atelier');
    assert.equal(await send(page, 'Rename'), 303);
    await page.getByRole('row', { name: 'Atelier, cabinet 2' }).waitFor();
    assert.equal(await send(page, 'Undo'), 303);
    await page.getByText('2 changes were undone.').waitFor();
  },
  { javaScriptEnabled: false },
);
