/** As page-policy.test.ts, on every page that a link leads to. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { register, story } from './browser.ts';
import { watchPolicy } from './watch-policy.ts';

story('G2: a browser that visits the whole site reports no policy violation', async ({ page }) => {
  const found = watchPolicy(page);
  const visited = new Set<string>();
  await crawl(page, visited);
  await register(page);
  await crawl(page, visited);
  assert.deepEqual(found(), []);
  assert.ok(visited.size > 6, [...visited].join(' '));
});

const LINKS = `[...document.querySelectorAll('a[href^="/"]:not([download])')].map((link) => link.getAttribute('href'))`;

/**
 * Follows every link on the site from the list of items on. It visits each page once with each name of a query,
 * because combinations of filters have no end.
 */
async function crawl(page: Page, visited: Set<string>): Promise<void> {
  const left = ['/items'];
  const seen = new Set<string>();
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const [pathname = '', query = ''] = path.split('?');
    const names = [...new URLSearchParams(query).keys()];
    const kinds = ['', ...names].map((name) => `${pathname.replaceAll(/\d+/g, '1')}?${name}`);
    if (kinds.every((kind) => seen.has(kind))) continue;
    for (const kind of kinds) seen.add(kind);
    visited.add(path);
    await page.goto(path);
    const links = await page.evaluate<readonly string[]>(LINKS);
    left.push(...links.map((link) => link.replace(/#.*/, '')));
  }
}
