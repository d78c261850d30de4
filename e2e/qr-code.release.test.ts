/** A QR code as a camera gets it: from the pixels of the window. */
import assert from 'node:assert/strict';
import jsqr from 'jsqr';
import type { Page } from 'playwright-core';
import { createMemoryStores, createSite, html, loadFiles, page as toPage } from 'seeother';
import { totp } from 'seeother/totp';
import { findViolations } from './axe.ts';
import { story } from './browser.ts';
import type { Site } from './open-site.ts';
import { STYLES, serveSite, styledPage } from './serve-site.ts';
import { watchPolicy } from './watch-policy.ts';

const engine = totp();
const secret = engine.createSecret();
const ADDRESSES = [
  engine.address({ secret, account: 'ada@example.org', issuer: 'Tool shed' }),
  engine.address({ secret, account: 'a'.repeat(200), issuer: '木'.repeat(40) }),
] as const;

const VIEWS = [
  { width: 1280, colorScheme: 'light', forcedColors: 'none' },
  { width: 320, colorScheme: 'dark', forcedColors: 'none' },
  { width: 320, colorScheme: 'dark', forcedColors: 'active' },
] as const;

function openCodes(): Promise<Site> {
  const codes = ADDRESSES.map(
    (address) => html`<p>${engine.draw(address, 'Code for your app')}</p>`,
  );
  const main = html`<h1>Scan this</h1>${codes}`;
  const site = createSite(createMemoryStores(), { log: false, files: loadFiles(STYLES) });
  return serveSite(site.get('/', () => toPage(styledPage('Scan this', main))));
}

story(
  'a QR code is read from the screen: light, dark, in forced colors and on a phone',
  async ({ page }) => {
    const violations = watchPolicy(page);
    for (const { width, ...media } of VIEWS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia(media);
      await page.goto('/');
      const pictures = page.getByRole('img', { name: 'Code for your app' });
      for (const [at, address] of ADDRESSES.entries())
        assert.equal(await read(page, await pictures.nth(at).boundingBox()), address);
      const isWider = 'document.documentElement.scrollWidth > innerWidth';
      assert.equal(await page.evaluate<boolean>(isWider), false, `${width} pixels`);
      assert.deepEqual(await findViolations(page), []);
    }
    assert.deepEqual(violations(), []);
  },
  { open: openCodes, javaScriptEnabled: true },
);

/** With some of the page around it. The browser itself decodes its PNG, on a page that allows pictures. */
async function read(
  page: Page,
  box: Awaited<ReturnType<ReturnType<Page['locator']>['boundingBox']>>,
) {
  assert.ok(box !== null, 'the picture is drawn');
  const margin = 8;
  const clip = {
    x: Math.max(box.x - margin, 0),
    y: box.y - margin,
    width: box.width + 2 * margin,
    height: box.height + 2 * margin,
  };
  const png = await page.screenshot({ clip, fullPage: true });
  const other = await page.context().newPage();
  const { width, height, greys } = await other.evaluate<Picture>(`(async () => {
    const data = Uint8Array.from(atob('${png.toString('base64')}'), (one) => one.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([data]));
    const { width, height } = picture;
    const drawing = new OffscreenCanvas(width, height).getContext('2d');
    drawing.drawImage(picture, 0, 0);
    const pixels = drawing.getImageData(0, 0, width, height).data;
    let greys = '';
    for (let at = 0; at < pixels.length; at += 4) greys += String.fromCharCode(pixels[at]);
    return { width, height, greys: btoa(greys) };
  })()`);
  await other.close();
  const pixels = [...Buffer.from(greys, 'base64')].flatMap((grey) => [grey, grey, grey, 255]);
  const found = jsqr.default(Uint8ClampedArray.from(pixels), width, height, {
    inversionAttempts: 'dontInvert',
  });
  return found?.data ?? null;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** A byte for each pixel, in base64. */
  readonly greys: string;
}
