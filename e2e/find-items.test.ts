import assert from 'node:assert/strict';
import { findViolations, VIEWS } from './axe.ts';
import { register, type Story, send, showsHeading, story } from './browser.ts';

/** Adds three things to the six samples, of which one is in “Office, drawer 2”. */
async function addThings({ page }: Story): Promise<void> {
  await register(page);
  for (const [name, location, tags] of [
    ['Stapler', 'office, drawer 2', 'Paper'],
    ['Paper, 80 g', 'Office', 'paper'],
    ['Lamp 3', 'Attic, left', 'lamps'],
  ] as const) {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const form = { name, location, tags };
    const answer = await page.request.post('/items', { form, headers, maxRedirects: 0 });
    assert.equal(answer.status(), 303);
  }
}

async function filterAndWalk({ page, ...story }: Story): Promise<void> {
  await addThings({ page, ...story });
  await page.goto('/items');
  await page.getByText('Filters and order').click();
  await page.getByRole('link', { name: 'Choose a location or tag' }).click();
  await showsHeading(page, 'Filter by location or tag');
  await page.getByRole('link', { name: 'Office', exact: true }).click();
  await page.getByText('3 items match.').waitFor();
  await page.getByText('Filters and order').click();
  await page.getByLabel('Order').selectOption('Name, A to Z');
  await page.getByRole('button', { name: 'Apply' }).click();

  await page.getByRole('link', { name: 'Label printer' }).click();
  await showsHeading(page, 'Label printer No. 1');
  assert.equal(await page.getByRole('link', { name: 'Previous' }).count(), 0);
  await page.getByRole('link', { name: 'Next' }).click();
  await showsHeading(page, 'Paper, 80 g No. 8');
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Quantity').fill('12');
  assert.equal(await send(page, 'Save changes'), 303);
  await page.getByText('The changes were saved.').waitFor();
  await page.getByRole('link', { name: 'Next' }).click();
  await showsHeading(page, 'Stapler No. 7');
  assert.equal(await send(page, 'Delete'), 303);
  await page.getByText('“Stapler” was deleted.').waitFor();
  await page.getByText('2 items match.').waitFor();
  await page.getByRole('table', { name: 'Name, A to Z' }).waitFor();
}

async function openByNumber({ page, ...story }: Story): Promise<void> {
  await addThings({ page, ...story });
  await page.goto('/items');
  await page.getByLabel('Search items').fill('#3');
  await page.getByLabel('Search items').press('Enter');
  await page.waitForURL('/items/3');
  await page.getByRole('link', { name: 'All items' }).click();
  await page.getByLabel('Search items').fill('9');
  await page.getByLabel('Search items').press('Enter');
  await page.getByText('Item 9: Lamp 3').waitFor();
  await page.getByRole('link', { name: 'Lamp 3' }).first().click();
  await showsHeading(page, 'Lamp 3 No. 9');
  await page.getByRole('link', { name: 'Edit' }).click();
  const suggested = await page
    .locator('datalist option')
    .evaluateAll((options) => options.map((option) => option.getAttribute('value')));
  assert.ok(suggested.includes('Attic, left'), suggested.join());
  assert.ok(suggested.includes('lamps, tools'), suggested.join());
}

const WITHOUT_SCRIPT = { javaScriptEnabled: false };

story('a filter is kept from the list through its items and back', filterAndWalk, WITHOUT_SCRIPT);

story('the number of an item leads to it', openByNumber);

story('axe finds nothing on the page of filters', async (told) => {
  const { page } = told;
  await addThings(told);
  for (const query of ['', '?location=office&tag=PAPER']) {
    await page.goto(`/items/filters${query}`);
    for (const { colorScheme, width } of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await findViolations(page), [], `${query} ${colorScheme} ${width}`);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
    }
  }
});
