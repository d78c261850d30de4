/** A long form is saved while one types, and by a button without scripts. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { findViolations, VIEWS } from './axe.ts';
import { send, showsHeading, story } from './browser.ts';
import { openTyping, type TypingSite } from './open-typing.ts';
import { watchPolicy } from './watch-policy.ts';

const note = (page: Page) => page.locator('.saving .hint');
const opened = (page: Page) => page.getByText('This is what you typed before.');
const saved = (page: Page) =>
  page.waitForResponse((answer) => answer.request().postData()?.includes('autosave') === true);

async function looksRight(page: Page): Promise<void> {
  for (const { colorScheme, width } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await findViolations(page), []);
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(wide <= width, `${wide} pixels`);
  }
}

story(
  'what one types is saved, goes on in another browser after a kill, and ends with the form',
  async ({ page, site, openBrowser }) => {
    const violations = watchPolicy(page);
    await page.goto('/login');
    await page.goto('/report');
    const answer = saved(page);
    await page.getByLabel('Title').fill('Fair');
    await page.getByLabel('Text').pressSequentially('By the window');
    await answer;
    await note(page)
      .filter({ hasText: /^Saved \d{1,2}:\d\d/ })
      .waitFor();
    assert.equal(await page.getByLabel('Text').inputValue(), 'By the window');
    await page.close();
    await (site as TypingSite).restart();

    const other = await (await openBrowser()).newPage();
    await other.goto('/report');
    assert.equal(await opened(other).count(), 0, 'a visitor sees nothing');
    await other.goto('/login');
    await showsHeading(other, 'Join');
    await other.goto('/report');
    await opened(other).waitFor();
    assert.equal(await other.getByLabel('Text').inputValue(), 'By the window');
    await looksRight(other);
    await other.getByRole('button', { name: 'Send', exact: true }).dblclick();
    await showsHeading(other, 'Done');
    await other.goto('/report');
    assert.equal(await opened(other).count(), 0);
    assert.equal(await other.getByLabel('Title').inputValue(), '');
    assert.deepEqual((site as TypingSite).sent, ['Fair']);
    assert.deepEqual(violations(), []);
  },
  { open: openTyping, needsScripts: true },
);

story(
  'without scripts, a button saves for later',
  async ({ page, site }) => {
    await page.goto('/login');
    await page.goto('/report');
    await page.getByLabel('Title').fill('Fair');
    assert.equal(await send(page, 'Save for later'), 303);
    await opened(page).waitFor();
    assert.equal(await page.getByLabel('Title').inputValue(), 'Fair');
    await page.getByLabel('Title').press('Enter');
    await showsHeading(page, 'Done');
    assert.deepEqual((site as TypingSite).sent, ['Fair']);
  },
  { open: openTyping, javaScriptEnabled: false },
);
