import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { register, type Story, story } from './browser.ts';

/** Besides the six samples. */
async function addLamps(page: Page): Promise<void> {
  await register(page);
  for (let number = 1; number <= 45; number++) {
    const form = { name: `Lamp ${number}`, location: 'Loft', tags: 'spare', quantity: number };
    const headers = { 'sec-fetch-site': 'same-origin' };
    const answer = await page.request.post('/items', { form, headers, maxRedirects: 0 });
    assert.equal(answer.status(), 303);
  }
}

async function searchAndPage({ page }: Story): Promise<void> {
  await addLamps(page);
  await page.goto('/items');
  await page.getByText('51 items').waitFor();
  await page.getByRole('searchbox', { name: 'Search items' }).fill('LÂMP lo');
  await page.getByRole('searchbox').press('Enter');
  await page.getByText('45 items match.').waitFor();
  assert.equal(await firstName(page), 'Lamp 45');

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Last' }).click();
  await page.getByText('Page 3 of 3').waitFor();
  assert.equal(await firstName(page), 'Lamp 5');
  await page.getByRole('link', { name: 'Previous' }).click();
  await page.getByText('Page 2 of 3').waitFor();

  await page.getByText('Filters and order').click();
  await page.getByLabel('Order').selectOption('Quantity, lowest first');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('table', { name: 'Quantity, lowest first' }).waitFor();
  assert.equal(await firstName(page), 'Lamp 1');
  assert.equal(new URL(page.url()).searchParams.get('q'), 'LÂMP lo');

  await page.getByRole('link', { name: 'Remove Search: LÂMP lo' }).click();
  await page.getByText('51 items').waitFor();
  await page.goto('/items?location=Meeting+room%2C+cabinet');
  await page.getByText('2 items match.').waitFor();
  await page.getByText('Filters and order').click();
  await page.getByLabel('Tag', { exact: true }).fill('cables');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('1 item matches.').waitFor();
  await page.getByRole('link', { name: 'Remove all filters' }).click();
  await page.getByText('51 items').waitFor();

  await page.getByLabel('Search items').fill('xylophone');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('Nothing matches.').waitFor();
  await page.getByRole('link', { name: 'Show all items' }).click();
  await page.getByText('51 items').waitFor();
}

async function firstName(page: Page): Promise<string | null> {
  return page.locator('tbody th').first().textContent();
}

story(
  'a list is searched, sorted, filtered and paged at 320 pixels, without scripts',
  searchAndPage,
  {
    viewport: { width: 320, height: 640 },
    javaScriptEnabled: false,
  },
);
