/** Six things are lent and returned by their numbers, as a scanner types them, at one width of the window. */
import assert from 'node:assert/strict';
import { register, story } from './browser.ts';
import { countInputs } from './count-inputs.ts';

export function tellScans(width: number): void {
  story(
    `six things are scanned, lent and returned by their numbers, ${width} px wide, without scripts`,
    async ({ page }) => {
      await register(page);
      const headers = { 'sec-fetch-site': 'same-origin' };
      for (let at = 1; at <= 6; at++) {
        const form = { name: `Radio ${at}`, quantity: at === 6 ? '12' : '1' };
        await page.request.post('/items', { form, headers });
      }
      const { used, click, press } = countInputs(page);
      const rows = page.getByRole('listitem').filter({ hasText: 'Radio' });
      await page.goto('/items/held');
      await click(page.getByRole('link', { name: 'Lend things' }));
      await page.locator('#numbers:focus').waitFor();
      await press(...'1 2 3 4 5', 'Enter');
      await rows.nth(4).waitFor();
      // A scanner types a number or an address, and Enter; then the field is there for the next one.
      await page.keyboard.insertText('http://127.0.0.1/items/6');
      await press('Enter');
      await rows.nth(5).waitFor();
      await page.getByText('12 of 12 are here').waitFor();
      await page.getByLabel('How many Radio 6').fill('4');
      const box = await page.locator('body').evaluate((body) => body.scrollWidth);
      assert.ok(box <= width, `${box}`);
      await click(page.getByLabel('Who has it'));
      await press(...'Grace', 'Tab', 'ArrowDown', 'ArrowDown');
      await click(page.getByRole('button', { name: 'Lend', exact: true }));
      await page.getByText(/^Lent 6 items to Grace, until/).waitFor();
      await page.getByRole('heading', { name: 'Who has what' }).waitFor();
      assert.deepEqual(used, { clicks: 3, keys: 19 });

      await click(page.getByRole('link', { name: 'Return things' }));
      for (const number of [1, 6]) {
        await page.locator('#numbers:focus').waitFor();
        await page.keyboard.insertText(`#${number}`);
        await page.keyboard.press('Enter');
        await page.getByText(`No. ${number}`).waitFor();
      }
      await page.getByText(/^4 to Grace, until/).waitFor();
      await click(page.getByRole('button', { name: 'Return', exact: true }));
      await page.getByText('Marked 2 items as returned by Grace.').waitFor();
      assert.equal(await rows.count(), 4);
    },
    {
      javaScriptEnabled: false,
      viewport: { width, height: 800 },
      environment: { SAMPLE_ITEMS: '0' },
    },
  );
}
