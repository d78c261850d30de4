/**
 * The page policy would stop these scripts as well; it is switched off here, so that only the
 * escaping stands between the text and the page.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { register, showsHeading, story } from './browser.ts';

const PAYLOADS = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' autofocus onfocus=alert(1) x='`,
  `</textarea><svg onload=alert(1)>`,
  `</title><script>alert(1)</script>`,
  `<!-- &lt;b&gt; &#60;i&#62;`,
];
const FIELDS = ['name', 'description', 'location', 'tags'];
// As a form of the site sends it.
const headers = { 'sec-fetch-site': 'same-origin' };

story(
  'text that looks like markup is shown as it was typed',
  async ({ page }) => {
    const alerts = watchForAlerts(page);
    await register(page);
    for (const payload of PAYLOADS) {
      const form = Object.fromEntries(FIELDS.map((field) => [field, payload]));
      const saved = await page.request.post('/items', { form, headers, maxRedirects: 0 });
      assert.equal(saved.status(), 303, payload);
      const path = saved.headers()['location'] ?? '';

      await page.goto(path);
      await showsHeading(page, `${payload} No. ${path.slice(7)}`);
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
