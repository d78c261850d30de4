import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { countItems, register, send, showsHeading, story } from './browser.ts';

const NO_SCRIPT = { javaScriptEnabled: false };

/** What a screen reader says of the page's focus after an error and a success, and of a row of the list. */
const HEARD = {
  error: `- alert:
  - heading "There is a problem" [level=2]
  - list:
    - listitem:
      - link "Enter who has it":
        - /url: "#to"`,
  success: `- status:
  - paragraph: Lent 1 to Grace from next door, until 31 Dec 2999.`,
  row: `- row "Cordless drill 1 of 2 lent until 31 Dec 2999 Grace from next door 2 Workshop, wall tools":
  - rowheader "Cordless drill 1 of 2 lent until 31 Dec 2999 Grace from next door":
    - link "Cordless drill":
      - /url: /items/2
    - text: 1 of 2 lent until
    - time: 31 Dec 2999
    - text: Grace from next door
  - cell "2"
  - cell "Workshop, wall"
  - cell "tools"`,
};

story(
  'an item is lent, shown as lent, returned, and the return is undone, without scripts',
  async ({ page }) => {
    await register(page);
    await page.goto('/items/2');
    await page.getByRole('link', { name: 'Lend', exact: true }).click();
    await showsHeading(page, 'Lend Cordless drill');
    assert.deepEqual(
      await page
        .locator('#people option')
        .evaluateAll((options) => options.map((one) => one.value)),
      ['ada'],
    );
    assert.equal(await send(page, 'Lend'), 400);
    const summary = page.getByRole('alert').and(page.locator(':focus'));
    assert.match(await page.title(), /^Error: Lend Cordless drill/);
    assert.equal(await summary.ariaSnapshot(), HEARD.error);
    await page.getByLabel('Who has it').fill('Grace from next door');
    await page.getByLabel('Until').fill('2999-12-31');
    assert.equal(await send(page, 'Lend'), 303);
    assert.match(
      await page.title(),
      /^Lent 1 to Grace from next door, until 31 Dec 2999\. – Cordless/,
    );
    const status = page.getByRole('status').and(page.locator(':focus'));
    assert.equal(await status.ariaSnapshot(), HEARD.success);
    await page.getByText('Grace from next door has 1 until 31 Dec 2999').waitFor();

    await page.goto('/items');
    assert.equal(await rowOf(page, 'Cordless drill').ariaSnapshot(), HEARD.row);
    await page.getByRole('link', { name: 'Lent 1' }).click();
    assert.equal(await page.locator('tbody tr').count(), 1);
    await page.getByRole('link', { name: 'Cordless drill' }).click();
    assert.equal(await send(page, 'Return'), 303);
    await page.getByRole('status').getByText('Grace from next door returned').waitFor();
    await page.getByRole('link', { name: 'Lend', exact: true }).waitFor();

    const returned = page.getByRole('listitem').filter({ hasText: 'marked it as returned' });
    await returned.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Grace from next door has 1 until 31 Dec 2999').waitFor();
    await page.goto('/items');
    assert.equal(await countItems(page), '6 items');
    await rowOf(page, 'Cordless drill').getByText('Grace from next door').waitFor();
  },
  NO_SCRIPT,
);

function rowOf(page: Page, name: string) {
  return page.locator('tbody tr').filter({ hasText: name });
}
