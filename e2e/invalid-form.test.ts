import assert from 'node:assert/strict';
import { countItems, register, send, showsHeading, story } from './browser.ts';

const TYPED = {
  name: `"Big" <b>box</b> of 'things' & 🧰 ${'x'.repeat(100)}`,
  description: '\n\n  Behind the "blue" door,\n<b>not</b> the &amp; red one 🚪\n',
  quantity: 'three',
  location: `Shelf "A" <i>'top'</i>`,
  tags: `tools, ${'-long'.repeat(9)}`,
};
const ERRORS = {
  name: 'Name must be 120 characters or less',
  quantity: 'Quantity must be a whole number, like 3',
  tags: 'Tag “-long-long-long-long…” must be 40 characters or less',
};
const DESCRIPTIONS = {
  name: 'name-error',
  description: null,
  quantity: 'quantity-error',
  location: 'location-hint',
  tags: 'tags-hint tags-error',
};

story('an invalid form shows its errors and keeps the typed text', async ({ page }) => {
  await register(page);
  await page.goto('/items/new');
  for (const [name, text] of Object.entries(TYPED)) await page.locator(`#${name}`).fill(text);
  assert.equal(await send(page, 'Save item'), 400);

  await showsHeading(page, 'There is a problem');
  assert.match(await page.title(), /^Error: Add an item/);
  const summary = page.getByRole('alert');
  assert.equal(await summary.and(page.locator(':focus')).count(), 1, 'the summary has the focus');
  assert.deepEqual(await summary.getByRole('link').allTextContents(), Object.values(ERRORS));
  for (const [name, text] of Object.entries(TYPED))
    assert.equal(await page.locator(`#${name}`).inputValue(), text);

  for (const [name, description] of Object.entries(DESCRIPTIONS)) {
    const field = page.locator(`#${name}`);
    assert.equal(await field.getAttribute('aria-describedby'), description);
    assert.equal(await field.getAttribute('aria-invalid'), name in ERRORS ? 'true' : null);
    for (const id of description?.split(' ') ?? [])
      assert.equal(await page.locator(`#${id}`).count(), 1, id);
  }
  for (const [name, message] of Object.entries(ERRORS)) {
    assert.equal(await page.locator(`#${name}-error`).textContent(), `Error: ${message}`);
    await summary.getByRole('link', { name: message }).click();
    const focused = page.locator(':focus');
    assert.equal(await focused.getAttribute('id'), name, 'the link leads to the field');
  }
  assert.equal(await countItems(page), '6 items', 'nothing is stored');
});
