/** A chosen picture is shown below its field; the form is the same without it. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { findViolations, VIEWS } from './axe.ts';
import { showsHeading, story } from './browser.ts';
import { openTyping, type TypingSite } from './open-typing.ts';
import { watchPolicy } from './watch-policy.ts';

/** 8 × 4 pixels, red. */
const SMALL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAECAIAAAA8r+mnAAAAEklEQVR4nGP4z8CAFWEXJUsCAFpeH+EeQoQoAAAAAElFTkSuQmCC',
  'base64',
);
const SIZE = "['width', 'height'].map((name) => document.querySelector('canvas')[name]).join(' ')";

const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.locator('#paper').setInputFiles({ name, mimeType, buffer });
const preview = (page: Page, name: string) => page.getByRole('img', { name, exact: true });

story(
  'a chosen picture is shown, small and named, until another file is chosen',
  async ({ page, site }) => {
    const violations = watchPolicy(page);
    await page.goto('/paper');
    const shot = await page.screenshot({ clip: { x: 0, y: 0, width: 640, height: 360 } });
    await choose(page, 'paper.png', 'image/png', shot);
    await preview(page, 'paper.png').waitFor();
    assert.equal(await page.evaluate(SIZE), '160 90');
    for (const { colorScheme, width } of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await findViolations(page), []);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.ok(wide <= width, `${wide} pixels`);
    }
    await choose(page, 'small.png', 'image/png', SMALL);
    await preview(page, 'small.png').waitFor();
    assert.equal(await page.evaluate(SIZE), '8 4');
    const red =
      "[...document.querySelector('canvas').getContext('2d').getImageData(4, 2, 1, 1).data].join()";
    assert.equal(await page.evaluate(red), '255,0,0,255');

    // No picture, pictures that cannot be decoded, and no file.
    await choose(page, 'paper.txt', 'text/plain', shot);
    assert.equal(await page.locator('canvas').count(), 0);
    await choose(page, 'broken.png', 'image/png', Buffer.from('no picture'));
    await choose(page, 'drawing.svg', 'image/svg+xml', Buffer.from('<svg onload="alert(1)"/>'));
    await page.waitForTimeout(200);
    assert.equal(await page.locator('canvas').count(), 0);
    await choose(page, 'small.png', 'image/png', SMALL);
    await preview(page, 'small.png').waitFor();
    await page.locator('#paper').setInputFiles([]);
    assert.equal(await page.locator('canvas').count(), 0);

    // The first is decoded when the second has been chosen.
    await page.evaluate(`(() => {
      const decode = createImageBitmap;
      window.createImageBitmap = async (file) => {
        if (file.name === 'slow.png') await new Promise((release) => { window.release = release; });
        return decode(file);
      };
    })()`);
    await choose(page, 'slow.png', 'image/png', SMALL);
    await choose(page, 'paper.png', 'image/png', shot);
    await preview(page, 'paper.png').waitFor();
    await page.evaluate('release()');
    await page.waitForTimeout(200);
    assert.equal(await page.locator('canvas').count(), 1);

    await page.getByLabel('Title').fill('Fair');
    await page.getByRole('button', { name: 'Send', exact: true }).dblclick();
    await showsHeading(page, 'Done');
    assert.deepEqual((site as TypingSite).sent, [`Fair ${shot.length}`]);
    assert.deepEqual(violations(), []);
  },
  { open: openTyping, needsScripts: true },
);
