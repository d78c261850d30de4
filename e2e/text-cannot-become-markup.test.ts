/**
 * The page policy would stop these scripts as well; it is switched off here, so that only the
 * escaping stands between the text and the page.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { register, send, showsHeading, story } from './browser.ts';

const PAYLOADS = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' autofocus onfocus=alert(1) x='`,
  `</textarea><svg onload=alert(1)>`,
  `</title><script>alert(1)</script>`,
  `<!-- &lt;b&gt; &#60;i&#62;`,
];
const FIELDS = ['Name', 'Description', 'Location', 'Tags'];

story(
  'text that looks like markup is shown as it was typed',
  async ({ page }) => {
    const alerts = watchForAlerts(page);
    await register(page);
    for (const payload of PAYLOADS) {
      await page.goto('/items/new');
      for (const field of FIELDS) await page.getByLabel(field).fill(payload);
      assert.equal(await send(page, 'Save item'), 303, payload);

      await showsHeading(page, `${payload} No. ${new URL(page.url()).pathname.slice(7)}`);
      assert.equal(await page.title(), `The item was saved. – ${payload} – Items – Seeother`);
      assert.equal(await page.locator('.description').textContent(), payload);
      assert.equal(await page.getByRole('definition').nth(1).textContent(), payload);
      assert.deepEqual(await page.locator('.tags li').allTextContents(), [payload]);
      await hasNoForeignMarkup(page);
    }

    await page.goto('/items');
    for (const [index, payload] of PAYLOADS.toReversed().entries()) {
      const row = page.getByRole('row').nth(1 + index);
      assert.equal(await row.getByRole('rowheader').getByRole('link').textContent(), payload);
      assert.equal(await row.getByRole('cell').nth(1).textContent(), payload);
      assert.equal(await row.getByRole('cell').nth(2).textContent(), payload);
    }
    await hasNoForeignMarkup(page);
    assert.deepEqual(alerts, []);
  },
  { bypassCSP: true },
);

/** Collects the dialogs that a script that ran would have opened. */
function watchForAlerts(page: Page): readonly string[] {
  const alerts: string[] = [];
  page.on('dialog', async (dialog) => {
    alerts.push(dialog.message());
    await dialog.dismiss();
  });
  return alerts;
}

async function hasNoForeignMarkup(page: Page): Promise<void> {
  // A page has one script, with a source, and one drawing, the mark in its header.
  const foreign = 'script:not([src]), img, svg:not(header svg), [onerror], [onload], [onfocus]';
  assert.equal(await page.locator(foreign).count(), 0);
}
