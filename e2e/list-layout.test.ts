/** The list with the data of a real team: short values beside long words, wide numbers and many tags. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { register, story } from './browser.ts';

const WORD = 'Donaudampfschifffahrtsgesellschaftskapitän';
const TAGS = Array.from({ length: 20 }, (_, index) => `tag ${index + 1}`).join(', ');
/** Name, quantity, location, tags. */
const ITEMS = [
  ['Ladder', '3', 'Cellar', 'tools'],
  ['Rope', '12', '', ''],
  ['Toner', '250000', WORD, 'office'],
  [
    WORD.repeat(2),
    '1000000',
    'Warehouse on Industrial Street, aisle 14, shelf B, box 12',
    WORD.slice(0, 40),
  ],
  ['W'.repeat(120), '1000000', 'W'.repeat(120), 'W'.repeat(40)],
  ['Cat 6 patch cable, grey, from the batch that was bought in March', '1000', 'Office', TAGS],
  ['Cat 6 patch cable, grey, from the batch that was bought in May', '2', 'Office', ''],
] as const;

/** As a form of the site sends it. */
async function post(page: Page, path: string, form: Record<string, string>): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const answer = await page.request.post(path, { form, headers, maxRedirects: 0 });
  assert.equal(answer.status(), 303, JSON.stringify(form));
}

interface Layout {
  /** Of what is shown, in pixels. */
  readonly width: number;
  /** Where the first row begins. */
  readonly top: number;
  /** Of the rows whose names have no word or line that is too long. */
  readonly heights: readonly number[];
  /** Names, marks, and last levels of locations that are cut. */
  readonly cut: readonly string[];
  /** Rows where a press on the last cell would not follow the link of the name. */
  readonly dead: readonly string[];
  /** Words of up to nine letters that are broken; headers, numbers and times on more than one line. */
  readonly broken: readonly string[];
  /** Per row, how far apart the first lines of its cells are. */
  readonly apart: readonly number[];
}

const MEASURE = `(() => {
  const rectsOf = (range) => [...range.getClientRects()].map(({ top }) => Math.round(top));
  const countLines = (node, start, end) => {
    const range = new Range();
    range.setStart(node, start);
    range.setEnd(node, end);
    return new Set(rectsOf(range)).size;
  };
  const firstLine = (cell) => {
    const range = new Range();
    range.selectNodeContents(cell);
    return Math.min(...rectsOf(range));
  };
  const table = document.querySelector('table.items');
  const broken = [];
  const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const parent = node.parentElement;
    if (!parent.checkVisibility()) continue;
    const isWhole = parent.closest('thead, .number, time') !== null;
    for (const { 0: text, index } of node.data.matchAll(isWhole ? /\\S.*/g : /\\S+/g)) {
      if (!isWhole && text.length > 9) continue;
      if (countLines(node, index, index + text.length) > 1) broken.push(text);
    }
  }
  const rows = [...table.tBodies[0].rows];
  return {
    width: document.documentElement.scrollWidth,
    top: rows[0].getBoundingClientRect().top,
    heights: rows.filter((row) => row.querySelector('th a').textContent.length < 70).map((row) => row.getBoundingClientRect().height),
    cut: [...table.querySelectorAll('tbody th, tbody th *, .path > :last-child')]
      .filter((element) => element.scrollWidth > element.clientWidth && element.clientWidth > 0)
      .map((element) => element.textContent),
    dead: rows
      .filter((row) => {
        row.scrollIntoView({ block: 'center' });
        const { right, bottom } = row.getBoundingClientRect();
        return document.elementFromPoint(right - 4, bottom - 4)?.closest('a') !== row.querySelector('th a');
      })
      .map((row) => row.textContent),
    broken,
    apart: rows.map(({ cells }) => {
      const lines = [...cells].filter((cell) => cell.textContent !== '').map(firstLine);
      const isLow = cells[0].getBoundingClientRect().height < 49 && cells[0].textContent.length < 40;
      return isLow ? Math.max(...lines) - Math.min(...lines) : 0;
    }),
  };
})()`;

story(
  'the list breaks no word, number or time, and each row is low and a link as a whole',
  async ({ page }) => {
    await register(page);
    for (const [name, quantity, location, tags] of ITEMS)
      await post(page, '/items', { name, quantity, location, tags });
    await post(page, '/items/2/lend', { to: 'Grace' });
    for (const width of [1280, 960, 768, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/items');
      const layout = (await page.evaluate(MEASURE)) as Layout;
      const shown = `at ${width} pixels: ${JSON.stringify(layout)}`;
      assert.deepEqual(layout.broken, [], shown);
      assert.equal(layout.width, width, shown);
      assert.equal(layout.heights.length, 11, shown);
      assert.deepEqual(layout.dead, [], shown);
      assert.deepEqual(layout.cut, [], shown);
      // A row has one or two lines. On a phone, a long name has as many as it needs.
      const isTable = width >= 704;
      assert.ok(Math.max(...layout.heights) <= (isTable ? 49 : 96), shown);
      const lent = page.getByRole('rowheader', { name: 'Cordless drill' });
      assert.equal(await lent.innerText(), 'Cordless drill 1 of 2 lent Grace');
      if (isTable) assert.ok(Math.max(...layout.apart) < 8, shown);
      const beside = page.getByRole('link', { name: 'All locations and tags' });
      assert.equal(await beside.isVisible(), width >= 960, shown);
      // Of a phone, the list has more than the half.
      if (!isTable) assert.ok(layout.top < 250, shown);
    }
    // Two presses of Tab are enough to pass by all that is above the list.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const reached = "document.activeElement.closest('table.items') !== null";
    assert.equal(await page.evaluate(reached), true);
  },
);
