import assert from 'node:assert/strict';
import { findViolations } from './axe.ts';
import { register, send, story } from './browser.ts';

story(
  'an administrator makes a kind with a field, things have it, and the list filters and sorts by it, at 320 pixels',
  async ({ page }) => {
    await register(page);
    await page.goto('/items');
    await page.goto('/fields');
    await page.getByRole('link', { name: 'Add kind' }).click();
    await page.getByLabel('Name').fill('Camera');
    await page.getByLabel('Icon').selectOption('Camera');
    assert.equal(await send(page, 'Add kind'), 303);
    await page.getByRole('link', { name: 'Add field' }).click();
    await page.getByLabel('Name', { exact: true }).first().fill('State');
    await page.getByLabel('Choice', { exact: true }).check();
    const choices = page.getByRole('textbox', { name: 'Name' });
    await choices.nth(1).fill('Good');
    await choices.nth(2).fill('Broken');
    await page.getByLabel('For', { exact: true }).selectOption('All things');
    await page.getByLabel('Shown in the list').check();
    assert.deepEqual(await findViolations(page), []);
    assert.equal(await send(page, 'Add field'), 303);
    await page.getByText('The field “State” was added.').waitFor();
    assert.deepEqual(await findViolations(page), []);

    for (const [name, state] of [
      ['Lens', 'Good'],
      ['Tripod', 'Broken'],
    ] as const) {
      await page.goto('/items/new');
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('State').selectOption(state);
      assert.equal(await send(page, 'Save item'), 303);
    }
    await page.goto('/items');
    await page.getByText('Filters and order').click();
    await page.getByLabel('State', { exact: true }).selectOption('Broken');
    assert.deepEqual(await findViolations(page), []);
    await page.getByRole('button', { name: 'Apply' }).click();
    const names = page.getByRole('table').getByRole('rowheader');
    assert.deepEqual(await names.allTextContents(), ['Tripod']);
    await page.getByRole('link', { name: 'Remove State: Broken' }).click();

    // Renamed, merged, removed, and undone.
    await page.goto('/fields/1/choices');
    await page.getByLabel('Merge').selectOption('Broken');
    await page.getByLabel('Into').selectOption('Good');
    assert.equal(await send(page, 'Merge'), 303);
    await page.getByText('“Broken” was merged into “Good” on 1 thing.').waitFor();
    assert.equal(await send(page, 'Undo'), 303);
    await page.goto('/items?own_1=c2');
    assert.deepEqual(await names.allTextContents(), ['Tripod']);
    await page.goto('/fields/1');
    assert.equal(await send(page, 'Remove field'), 303);
    await page.getByText('The field “State” was removed.').waitFor();
    assert.equal(await send(page, 'Undo'), 303);
    await page.getByRole('link', { name: 'State' }).waitFor();
  },
  { viewport: { width: 320, height: 700 } },
);
