/** From labels for what was ticked to scanning them: on paper, with a hand scanner, and with a camera. */
import assert from 'node:assert/strict';
import { drawPages, findEdges, readCodes, sizeOf } from '../application/testing/read-printed.ts';
import { findProgram } from '../deploy/find-program.ts';
import { register, showsHeading, story } from './browser.ts';
import { addThings, tellLabels, tellScans } from './tell-labels-and-scan.ts';

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

story(
  'labels for what is ticked print where the sheet has them, and lead to their things',
  async (told) => {
    const { page, site } = told;
    await tellLabels(told);
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

story('a hand scanner goes through the modes without scripts, and each scan is undone', tellScans, {
  javaScriptEnabled: false,
  reducedMotion: 'reduce',
});

story(
  'the camera counts a label once as long as it sees it',
  async ({ page }) => {
    await register(page);
    await addThings(page);
    await page.addInitScript(CAMERA);
    await page.goto('/scan?mode=count');
    await page.getByRole('button', { name: 'Use the camera' }).click();
    await page.getByText('“Drill”: 3. Before: 2.').waitFor();
    await page.evaluate('lookedOften');
    await page.getByText('“Drill”: 3. Before: 2.').waitFor();
  },
  { needsScripts: true },
);
