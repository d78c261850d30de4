/** A chosen picture is shown below its field; the form is the same without it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations, VIEWS } from './axe.ts';
import { showsHeading, story } from './browser.ts';
import { openFirefox, skipFirefox } from './firefox.ts';
import { openTyping, type TypingSite } from './open-typing.ts';
import { SCRIPTS_WORK } from './script-modes.ts';
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

const skip = SCRIPTS_WORK ? skipFirefox : 'told once';

test('in Firefox, a chosen picture is shown, and the form is sent with it', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const site = await openTyping();
  t.after(() => site.stop());
  const firefox = await openFirefox(t);
  const { click, evaluate, open, setFile, type, waitFor } = firefox;
  const write = (name: string, content: Buffer | string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  await open(`${site.url}/paper`);
  await type('#title', 'Fair');
  await setFile('#paper', write('small.png', SMALL));
  await waitFor("document.querySelector('canvas[role=img]')?.ariaLabel === 'small.png'");
  assert.equal(await evaluate(SIZE), '8 4');
  await setFile('#paper', write('broken.png', 'no picture'));
  await waitFor("document.querySelector('canvas') === null");
  await setFile('#paper', write('small.png', SMALL));
  await waitFor("document.querySelector('canvas') !== null");
  await click('form button:not(.visually-hidden)');
  await waitFor("document.title === 'Done'");
  assert.deepEqual(site.sent, [`Fair ${SMALL.length}`]);
});
