/** From labels for what was ticked to scanning them: on paper, with a hand scanner, and with a camera. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { drawPages, findEdges, readCodes, sizeOf } from '../application/testing/read-printed.ts';
import { findProgram } from '../deploy/find-program.ts';
import { findViolations, VIEWS } from './axe.ts';
import { register, send, showsHeading, story } from './browser.ts';
import { createKeyboard } from './keyboard.ts';

const headers = { 'sec-fetch-site': 'same-origin' };

async function checkViews(page: Page, name: string): Promise<void> {
  for (const { colorScheme, width } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await findViolations(page), [], name);
    if (process.env['SHOTS'])
      await page.screenshot({
        path: `${process.env['SHOTS']}/${name} ${width}.png`,
        fullPage: true,
      });
  }
}

/** A camera, in a browser that reads codes: it sees the same label all the time. */
const CAMERA = `
  let looked = 0;
  const { promise, resolve } = Promise.withResolvers();
  window.lookedOften = promise;
  navigator.mediaDevices.getUserMedia = async () => document.createElement('canvas').captureStream();
  HTMLMediaElement.prototype.play = async () => {};
  window.BarcodeDetector = class {
    async detect() {
      if (++looked > 3) resolve();
      return [{ rawValue: 'SN-Drill' }];
    }
  };`;

async function addThings(page: Page): Promise<void> {
  for (const name of ['Cable', 'Drill', 'Paint'])
    await page.request.post('/items', {
      form: { name, quantity: '2', location: 'Shed', serial: `SN-${name}`, tags: 'new' },
      headers,
    });
}

story(
  'labels for what is ticked print where the sheet has them, and lead to their things',
  async ({ page, site }) => {
    await register(page);
    await addThings(page);
    await page.goto('/items/select?tag=new');
    await page.getByLabel('Paint').check();
    await page.getByLabel('Cable').check();
    await page.getByRole('button', { name: 'Labels', exact: true }).click();
    await showsHeading(page, 'Print labels 2 items');
    await page.getByText('No other device can open this address.').waitFor();
    await page.getByLabel('Avery L7160').check();
    await page.getByRole('textbox', { name: 'First label (optional)' }).fill('20');
    await page.getByLabel('Draw the edges').check();
    await checkViews(page, 'the form of labels');
    assert.equal(await send(page, 'Show labels'), 303);
    await showsHeading(page, 'Labels');
    await checkViews(page, 'labels');
    if (findProgram('pdftoppm') === null || findProgram('zbarimg') === null) return;
    const path = page.url();
    const read: string[] = [];
    for (const { sheet, start, paper, boxes } of SHEETS) {
      await page.goto(path.replace('sheet=l7160&start=20', `sheet=${sheet}&start=${start}`));
      const printed = drawPages(await page.pdf({ preferCSSPageSize: true }));
      const [drawn, ...others] = printed;
      assert.ok(drawn !== undefined && others.length === 0, `${printed.length} pages`);
      near(sizeOf(drawn), paper);
      for (const one of boxes) near(findEdges(drawn, one), one);
      read.push(readCodes(drawn, boxes).join());
    }
    const [, number] = /^\S+\/i\/(\d+),\S+\/i\/\d+$/.exec(read[0] ?? '') ?? [];
    assert.ok(read[0]?.startsWith(`${site.url}/i/`));
    assert.equal(new Set(read).size, 1, read.join('; '));
    await page.goto(`/i/${number}`);
    await showsHeading(page, `Cable No. ${number}`);
  },
);

/** The last two labels of a sheet, the furthest from where it begins: on A4, and on Letter. */
const SHEETS = [
  {
    ...{ sheet: 'l7160', start: 20, paper: { width: 210, height: 297 } },
    boxes: [73.25, 139.25].map((left) => ({ left, top: 243.75, width: 63.5, height: 38.1 })),
  },
  {
    ...{ sheet: 'a5160', start: 29, paper: { width: 215.9, height: 279.4 } },
    boxes: [74.6125, 144.4625].map((left) => {
      return { left, top: 241.3, width: 66.675, height: 25.4 };
    }),
  },
  {
    ...{ sheet: 'a22806', start: 11, paper: { width: 215.9, height: 279.4 } },
    boxes: [82.55, 149.225].map((left) => ({ left, top: 212.725, width: 50.8, height: 50.8 })),
  },
];

function near<T extends object>(found: T, expected: T): void {
  for (const name of Object.keys(expected) as (keyof T)[])
    assert.ok(
      Math.abs(Number(found[name]) - Number(expected[name])) < 0.5,
      `${String(name)}: ${found[name]} is not ${expected[name]}`,
    );
}

story(
  'a hand scanner goes through the modes without scripts, and each scan is undone',
  async ({ page }) => {
    await register(page);
    await addThings(page);
    const { type, press, activate, tabTo } = createKeyboard(page);
    const scan = async (code: string, said: string) => {
      // A scanner types into the field that has the focus, and presses Enter.
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
  },
  { javaScriptEnabled: false, reducedMotion: 'reduce' },
);

story(
  'the camera counts a label once as long as it sees it',
  async ({ page }) => {
    await register(page);
    await addThings(page);
    await page.addInitScript(CAMERA);
    await page.goto('/scan?mode=count');
    await checkViews(page, 'the page to scan');
    await page.getByRole('button', { name: 'Use the camera' }).click();
    await page.getByText('“Drill”: 3. Before: 2.').waitFor();
    await page.evaluate('lookedOften');
    await page.getByText('“Drill”: 3. Before: 2.').waitFor();
  },
  { needsScripts: true },
);
