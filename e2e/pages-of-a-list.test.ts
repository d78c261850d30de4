import assert from 'node:assert/strict';
import { createMemoryStores, createSite, html, page as htmlPage, paginate } from 'seeother';
import { findViolations } from './axe.ts';
import { story } from './browser.ts';
import type { Site } from './open-site.ts';
import { serveSite } from './serve-site.ts';

/** Ids of the entries, in no order. */
let entries: number[] = [];

async function openList(): Promise<Site> {
  entries = Array.from({ length: 11 }, (_, at) => at + 1);
  const site = createSite(createMemoryStores(), { log: false }).get('/', async ({ request }) => {
    const { rows, nav } = await paginate(request, {
      size: 4,
      key: { id: 'int' },
      read({ limit, position, isBackwards }) {
        const { id } = position ?? { id: Number.MAX_SAFE_INTEGER };
        const found = entries.filter((entry) => (isBackwards ? entry > id : entry < id));
        const sorted = found.toSorted((one, other) => (isBackwards ? one - other : other - one));
        return sorted.slice(0, limit).map((id) => ({ id }));
      },
      words: { previousPage: 'Newer', nextPage: 'Older' },
    });
    return htmlPage(html`<!doctype html><html lang="en"><title>Entries</title><main>
<h1>Entries of ${request.query.get('year')}</h1><ol>${rows.map(({ id }) => html`<li>${id}</li>`)}</ol>${nav}</main></html>`);
  });
  return serveSite(site);
}

story(
  'a list is read to its end and back while entries come and go, and its links keep the query',
  async ({ page }) => {
    const shown = async () => (await page.locator('ol li').allTextContents()).map(Number);
    const follow = async (name: string) => {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
      await page.getByRole('heading', { name: 'Entries of 2026' }).waitFor();
      return shown();
    };
    await page.goto('/?year=2026');
    assert.deepEqual(await shown(), [11, 10, 9, 8]);
    entries.push(12);
    entries = entries.filter((id) => id !== 10);
    assert.deepEqual(await follow('Older'), [7, 6, 5, 4]);
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(await follow('Older'), [3, 2, 1]);
    assert.equal(await page.getByRole('link', { name: 'Older' }).count(), 0);
    assert.deepEqual(await follow('Newer'), [7, 6, 5, 4]);
    assert.deepEqual(await follow('Newer'), [12, 11, 9, 8]);
    await page.goBack();
    assert.equal(new URL(page.url()).searchParams.get('year'), '2026');
    await page.goto('/?year=2026&after=nothing');
    assert.deepEqual(await shown(), [12, 11, 9, 8]);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    assert.equal(width, 320);
  },
  { open: openList, viewport: { width: 320, height: 640 } },
);
