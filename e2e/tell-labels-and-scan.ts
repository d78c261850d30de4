/** Stories of labels and of scanning: told once in `npm test`, and in more browsers by things.release.test.ts. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { isFirefox, register, type Story, send, showsHeading } from './browser.ts';
import { createKeyboard, type Keyboard } from './keyboard.ts';

const headers = { 'sec-fetch-site': 'same-origin' };

export async function addThings(page: Page): Promise<void> {
  for (const name of ['Cable', 'Drill', 'Paint'])
    await page.request.post('/items', {
      form: { name, quantity: '2', location: 'Shed', serial: `SN-${name}`, tags: 'new' },
      headers,
    });
}

/** Ends on the page of the labels. */
export async function tellLabels({ page }: Story): Promise<void> {
  await register(page);
  await addThings(page);
  await page.goto('/items/select?tag=new');
  await page.getByLabel('Paint').check();
  await page.getByLabel('Cable').check();
  // On a phone, the buttons are behind one line.
  const actions = page.getByText('Actions', { exact: true });
  if (await actions.isVisible()) await actions.click();
  await page.getByRole('button', { name: 'Labels', exact: true }).click();
  await showsHeading(page, 'Print labels 2 items');
  await page.getByText('No other device can open this address.').waitFor();
  await page.getByLabel('Avery L7160').check();
  await page.getByRole('textbox', { name: 'First label (optional)' }).fill('20');
  await page.getByLabel('Draw the edges').check();
  assert.equal(await send(page, 'Show labels'), 303);
  await showsHeading(page, 'Labels');
}

/** For Firefox: Playwright's windows are behind another one, where no focus is seen. */
const MOUSE: Pick<Keyboard, 'activate' | 'tabTo'> = {
  activate: (target) => target.click(),
  tabTo: (target) => target.focus(),
};

/** With a hand scanner. */
export async function tellScans({ page }: Story): Promise<void> {
  await register(page);
  await addThings(page);
  const { type, press } = createKeyboard(page);
  const { activate, tabTo } = isFirefox(page) ? MOUSE : createKeyboard(page);
  const scan = async (code: string, said: string) => {
    // A scanner types into the field that has the focus, which the next page has given to it, and presses Enter.
    if (!isFirefox(page)) await page.locator('input:focus').waitFor();
    await type(code);
    await press('Enter');
    await page.getByRole('status').filter({ hasText: said }).waitFor();
  };
  await page.goto('/scan?mode=move&place=Attic');
  await showsHeading(page, 'Move to Attic');
  await scan('SN-Drill', '“Drill” is in Attic now.');
  await scan('sn-paint', '“Paint” is in Attic now.');
  await activate(page.getByRole('button', { name: 'Undo' }));
  await page.getByText('1 change was undone.').waitFor();
  await showsHeading(page, 'Move to Attic');
  await activate(page.getByText('What a scan does', { exact: true }).first());
  await tabTo(page.getByRole('radio', { name: 'Move it to a place' }));
  await press('ArrowUp');
  await press('Enter');
  await showsHeading(page, 'Scan to count');
  await scan('SN-Cable', '“Cable”: 3. Before: 2.');
  await page.goto('/scan?mode=lend&to=Bo');
  await scan('SN-Cable', 'Bo has “Cable” now.');
  await page.goto('/scan?mode=return');
  await scan('SN-Cable', '“Cable” is back from Bo.');
  await type('4006381333931');
  await press('Enter');
  await activate(page.getByRole('link', { name: 'Add with this code' }));
  await showsHeading(page, 'Add an item');
  assert.equal(await page.getByLabel('Product code').inputValue(), '4006381333931');
  await page.getByLabel('Name').fill('Marker');
  await activate(page.getByRole('button', { name: 'Save item' }));
  await page.getByRole('status').filter({ hasText: '“Marker” was added as No.' }).waitFor();
  await scan('4006381333931', '“Marker” is not lent.');
}
