/** Files are sent with their progress, and as ever if that fails. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { findViolations } from './axe.ts';
import { showsHeading, story } from './browser.ts';
import { openTyping, type TypingSite } from './open-typing.ts';
import { watchPolicy } from './watch-policy.ts';

const PAPER = { name: 'paper.txt', mimeType: 'text/plain', buffer: Buffer.alloc(300_000, 'x') };
const SENT = /\/paper\?send$/;

async function fill(page: Page, title: string): Promise<void> {
  await page.goto('/paper');
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Paper').setInputFiles(PAPER);
}

const press = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });

story(
  'an upload shows its progress, can be cancelled, counts once, and a refused one shows why',
  async ({ page, site }) => {
    const violations = watchPolicy(page);
    const { sent } = site as TypingSite;
    await fill(page, 'Fair');
    await page.route(SENT, () => {});
    await press(page).click();
    await page.getByRole('progressbar', { name: 'Uploading' }).waitFor();
    await page.getByRole('button', { name: 'Cancel the upload' }).click();
    assert.equal(await page.getByRole('progressbar').count(), 0);
    await page.unroute(SENT);
    await press(page).dblclick();
    await showsHeading(page, 'Done');
    assert.deepEqual(sent, ['Fair 300000']);

    await fill(page, '');
    await press(page).click();
    await page.getByRole('alert').and(page.locator(':focus')).waitFor();
    await page.getByText('paper.txt, 300 kB').waitFor();
    assert.equal(await page.title(), 'Error: Paper');
    assert.equal(await page.locator('body > [aria-live]').count(), 1, 'messages are heard');
    await page.getByLabel('Title').fill('Again');
    await press(page).click();
    await showsHeading(page, 'Done');
    assert.deepEqual(sent, ['Fair 300000', 'Again 300000']);
    assert.deepEqual(violations(), []);

    await fill(page, 'Fair');
    await page.route(SENT, () => {});
    await press(page).click();
    await page.getByRole('progressbar').waitFor();
    assert.deepEqual(await findViolations(page), []);
  },
  { open: openTyping, needsScripts: true },
);

story(
  'an upload without an answer is sent again by the browser, and counts once',
  async ({ page, site }) => {
    await fill(page, 'Fair');
    await page.route(
      SENT,
      async (route) => {
        await route.fetch({ maxRedirects: 0 });
        await route.abort();
      },
      { times: 1 },
    );
    await press(page).click();
    await showsHeading(page, 'Done');
    assert.deepEqual((site as TypingSite).sent, ['Fair 300000']);
  },
  { open: openTyping, needsScripts: true },
);
