/** The pages obey their own content security policy: a browser reports no violation. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { register, send, story } from './browser.ts';
import { watchPolicy } from './watch-policy.ts';

story('G2: a browser that visits the whole site reports no policy violation', async ({ page }) => {
  const found = watchPolicy(page);
  const visited = new Set<string>();
  await crawl(page, visited);
  await register(page);
  await page.goto('/items/new');
  assert.equal(await send(page, 'Save item'), 400);
  await page.getByLabel('Name').fill('Drill');
  assert.equal(await send(page, 'Save item'), 303);
  await crawl(page, visited);
  for (const path of ['/items/999999', '/nothing', '/%ff']) await page.goto(path);
  assert.deepEqual(found(), []);
  assert.ok(visited.size > 6, [...visited].join(' '));

  // What is put into a page is found, so an empty list means something.
  await page.goto('/items');
  await page.evaluate("document.body.setAttribute('style', 'color: red')");
  await page.goto('/login');
  assert.equal(found().length, 1, found().join('\n'));

  // The one script runs with its hash alone: no other file does, though it is of the same site.
  await page.route('/login', async (route) => {
    const answer = await route.fetch();
    const tag = '<script type="module" src="/seeother.js?other"></script></head>';
    await route.fulfill({ response: answer, body: (await answer.text()).replace('</head>', tag) });
  });
  await page.goto('/login');
  assert.match(found().slice(1).join('\n'), /script-src/);
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
