import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { register, send, showsHeading, story } from './browser.ts';

const NARROW = { viewport: { width: 320, height: 640 } };
const WORD = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(3).slice(0, 120);
const ITEM = ['', '/edit', '/quantity', '/lend', '/history'].map((path) => `/items/7${path}`);
const LISTS = ['select', 'count', 'print', 'tags', 'filters', 'held', 'history'];
const PAGES = [
  ...[...ITEM, ...LISTS.map((name) => `/items/${name}`)],
  // With a short quantity, the form to change it stands beside it, not below.
  ...[
    '/items?q=lamp&tag=spare&sort=-name',
    '/items?q=xylophone',
    '/items/1',
    '/items/9007199254740991',
  ],
  ...[
    '/places',
    '/places/1',
    '/places/1/edit',
    '/places/1/picture',
    '/places/new',
    '/items/import',
    '/account',
    '/account/profile',
    '/people',
    '/people/1',
    '/help',
  ],
];

story(
  'no page is wider than 320 pixels, however long the words',
  async ({ page }) => {
    for (const path of ['/register', '/login?next=/items/new']) {
      await page.goto(path);
      await fits(page, path);
    }
    await register(page);
    await fits(page, 'the list');
    await page.goto('/items/new');
    await fits(page, 'the form');
    for (const label of ['Name', 'Description', 'Quantity', 'Location', 'Tags'])
      await page.getByLabel(label).fill(WORD);
    await send(page, 'Save item');
    await showsHeading(page, 'There is a problem');
    await fits(page, 'the form with errors');

    await page.getByLabel('Quantity').fill('1000000');
    await page.getByLabel('Location').fill(WORD.slice(0, 100));
    await page.getByLabel('Tags').fill(`${WORD.slice(0, 40)}, ${WORD.slice(1, 41)}`);
    assert.equal(await send(page, 'Save item'), 303);
    await page.waitForURL('/items/7');
    await fits(page, 'an item');
    await page.goto('/items');
    await page.getByRole('rowheader').getByRole('link', { name: WORD }).waitFor();
    await fits(page, 'the list with the item');
    await page.goto('/items/7/lend');
    await page.getByLabel('Who has it').fill(WORD.slice(0, 60));
    await page.getByLabel('For how long').selectOption('week');
    assert.equal(await send(page, 'Lend'), 303);
    await showsHeading(page, `${WORD} No. 7`);
    await fits(page, 'a lent item');
    for (const path of PAGES) {
      await page.goto(path);
      await fits(page, path);
    }

    await page.goto('/items/new');
    await page.getByLabel('Name').fill(WORD);
    await page.context().clearCookies();
    assert.equal(await send(page, 'Save item'), 401);
    await showsHeading(page, 'Log in to continue');
    await fits(page, 'the form sent without a session');
    await page.goto('/register');
    await fits(page, 'closed registration');
  },
  NARROW,
);

/** Nothing on the page reaches beyond the right edge, and nothing scrolls sideways within it. */
async function fits(page: Page, name: string): Promise<void> {
  const wide = await page.evaluate(`[...document.querySelectorAll('body *')]
    .filter((element) => element.checkVisibility())
    .filter((element) => getComputedStyle(element).clipPath === 'none')
    .filter((element) => element.getBoundingClientRect().right > 320 + 0.5)
    .map((element) => element.outerHTML.slice(0, 100))`);
  assert.deepEqual(wide, [], name);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, name);
}
