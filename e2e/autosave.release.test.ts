/**
 * What the script that saves while one types does in two tabs, before one leaves, and when a save fails: it waits after
 * each for as long as the script.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { send, showsHeading, story } from './browser.ts';
import { openTyping } from './open-typing.ts';

const note = (page: Page) => page.locator('.saving .hint');
const opened = (page: Page) => page.getByText('This is what you typed before.');
const saved = (page: Page) =>
  page.waitForResponse((answer) => answer.request().postData()?.includes('autosave') === true);

story(
  'a save that is refused, fails or stores nothing leaves the page as it is, and the script warns',
  async ({ page }) => {
    let warnings = 0;
    page.on('dialog', (dialog) => {
      warnings++;
      void dialog.accept();
    });
    await page.goto('/login');
    const type = async (text: string) => {
      const answer = saved(page);
      await page.getByLabel('Text').fill(text);
      await answer;
      await page.waitForTimeout(100);
    };
    for (const status of [401, 413, 429, 500, 503]) {
      await page.goto('/report');
      await page.route(/\?send/, (route) => route.fulfill({ status, body: 'No.' }));
      await type(`Before ${status}`);
      assert.equal(await page.getByLabel('Text').inputValue(), `Before ${status}`);
      assert.equal(await note(page).textContent(), '', `${status}`);
      await page.unroute(/\?send/);
      await page.goto('/done');
      assert.equal(warnings--, 1, `${status}`);
    }
    await page.goto('/report');
    await type('Long '.repeat(20_000));
    await note(page).filter({ hasText: 'too long' }).waitFor();
    await page.goto('/done');
    assert.equal(warnings--, 1, 'too long');

    // After Back, the form that was sent is changed: it is saved by the button.
    await page.goto('/report');
    await page.getByLabel('Title').fill('Fair');
    await send(page, 'Send');
    await showsHeading(page, 'Done');
    await page.goBack();
    await page.getByLabel('Title').waitFor();
    await type('Another one');
    await send(page, 'Save for later');
    await opened(page).waitFor();
    assert.equal(await page.getByLabel('Text').inputValue(), 'Another one');
    assert.equal(warnings, 0);
  },
  { open: openTyping, needsScripts: true },
);

story(
  'the newer of two tabs wins, and says so',
  async ({ page }) => {
    await page.goto('/login');
    await page.goto('/report');
    const other = await page.context().newPage();
    await other.goto('/report');
    for (const [one, text] of [
      [page, 'One'],
      [other, 'Other'],
    ] as const) {
      await one.bringToFront();
      const answer = saved(one);
      await one.getByLabel('Title').fill(text);
      await answer;
      await note(one).filter({ hasText: 'Saved' }).waitFor();
    }
    await note(other).filter({ hasText: 'This replaces what another tab or device' }).waitFor();
    await page.reload();
    assert.equal(await page.getByLabel('Title').inputValue(), 'Other');
    await send(page, 'Start anew');
    assert.equal(await opened(page).count(), 0);
    assert.equal(await page.getByLabel('Title').inputValue(), '');
  },
  { open: openTyping, needsScripts: true },
);

story(
  'a visitor, and a user whose form cannot be saved, are warned before they leave',
  async ({ page }) => {
    let warnings = 0;
    page.on('dialog', (dialog) => {
      warnings++;
      void dialog.accept();
    });
    await page.goto('/report');
    await page.goto('/login');
    assert.equal(warnings, 0, 'nothing was typed');
    await page.goto('/report');
    await page.getByLabel('Title').pressSequentially('Fair');
    await page.goto('/report?again');
    assert.equal(warnings, 0, 'a user is saved instead');

    await page.route(/\?send/, (route) => route.abort());
    const lost = page.waitForEvent('requestfailed');
    await page.getByLabel('Title').pressSequentially(' two');
    await lost;
    await page.waitForTimeout(100);
    await page.goto('/done');
    assert.equal(warnings, 1);
    await page.unroute(/\?send/);
    await page.context().clearCookies();
    await page.goto('/report');
    await page.getByLabel('Title').pressSequentially('Fair');
    await page.goto('/done');
    assert.equal(warnings, 2);
    await page.goto('/report');
    await page.getByLabel('Title').fill('Fair');
    await send(page, 'Send');
    assert.equal(warnings, 2, 'a form that is sent is not left');
  },
  { open: openTyping, needsScripts: true },
);
