import assert from 'node:assert/strict';
import { register, send, showsHeading, story } from './browser.ts';

story(
  'at 400 % zoom the header is low, and a link to an error shows its label and its message',
  async ({ page }) => {
    await register(page);
    // What is left of 1,280 by 1,024.
    await page.setViewportSize({ width: 320, height: 256 });
    await page.goto('/items/new');
    const header = await page.locator('.site-header').boundingBox();
    assert.ok(header !== null && header.height <= 56, JSON.stringify(header));

    await page.getByLabel('Quantity').fill('three');
    await page.getByLabel('Tags').fill('long '.repeat(9));
    assert.equal(await send(page, 'Save item'), 400);
    await showsHeading(page, 'There is a problem');
    for (const name of ['name', 'quantity', 'tags']) {
      await page.locator(`.error-summary a[href="#${name}"]`).click();
      await page.locator(`#${name}:focus`).waitFor();
      const message = await page.locator(`#${name}-error`).boundingBox();
      const field = await page.locator(`#${name}`).boundingBox();
      assert.ok(message !== null && message.y >= 0, `${name}: ${JSON.stringify(message)}`);
      assert.ok(
        field !== null && field.y + field.height <= 256,
        `${name}: ${JSON.stringify(field)}`,
      );
    }
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.locator('.error-summary a[href="#quantity"]').click();
    const label = await page.locator('label[for="quantity"]').boundingBox();
    assert.ok(label !== null && label.y >= 0, JSON.stringify(label));
  },
);

story('a printed page shows no link to add an item, no form and no button', async ({ page }) => {
  await register(page);
  await page.getByRole('button', { name: 'More tools' }).click();
  await page.getByRole('link', { name: 'Print', exact: true }).click();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  assert.equal(await page.locator('a').filter({ visible: true }).count(), 0);
  const { rows, head, ink, row } = await page.evaluate<Record<string, unknown>>(`({
    rows: document.querySelectorAll('.printed tbody tr').length,
    head: getComputedStyle(document.querySelector('.printed thead')).display,
    ink: getComputedStyle(document.querySelector('.printed th')).color,
    row: getComputedStyle(document.querySelector('.printed tbody tr')).breakInside,
  })`);
  assert.deepEqual([rows, head, ink, row], [6, 'table-header-group', 'rgb(0, 0, 0)', 'avoid']);
  for (const path of ['/items', '/items/1']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(
      await page.locator('form, button, nav, .button').filter({ visible: true }).count(),
      0,
    );
  }
});

const HEIGHTS = `[...document.querySelectorAll('input:not([type=hidden], [type=checkbox], [type=radio]), select, button, .button')]
  .filter((control) => control.checkVisibility())
  .map((control) => control.getBoundingClientRect().height)`;

story('fields, buttons and links that look like buttons have one height', async ({ page }) => {
  await register(page);
  for (const path of ['/items', '/items/2', '/items/2/lend', '/items/import', '/account']) {
    await page.goto(path);
    const heights = await page.evaluate<readonly number[]>(HEIGHTS);
    assert.deepEqual([...new Set(heights)], [40], path);
  }
});
