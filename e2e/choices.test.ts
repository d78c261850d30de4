/**
 * Choices that are searched in a table, what depends on them, and a form that leads to another one: without a script.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findViolations, VIEWS } from './axe.ts';
import { send, showsHeading, story } from './browser.ts';
import { openLoans } from './open-loans.ts';
import { STYLES } from './serve-site.ts';
import { enter, tellChoices } from './tell-choices.ts';

const options = { open: () => openLoans(), javaScriptEnabled: false };

tellChoices('SQLite', options.open);

story(
  'a search without a session leads through the log-in, with everything that was typed',
  async ({ page }) => {
    await enter(page);
    await page.getByLabel('Note').fill('By the window');
    await page.getByLabel('Find a person').fill('Al');
    await page.context().clearCookies();
    assert.equal(await send(page, 'Find'), 401);
    await send(page, 'Log in');
    await showsHeading(page, 'Lend');
    assert.equal(await page.getByLabel('Note').inputValue(), 'By the window');
    await page.getByLabel('Alan').check();
    assert.equal(await send(page, 'Lend'), 303);
  },
  options,
);

story(
  'axe finds nothing on the page before and after a search, and when it is refused',
  async ({ page }) => {
    const body = readFileSync(join(STYLES, 'styles.css'));
    await page.route('**/styles.css', (route) => route.fulfill({ contentType: 'text/css', body }));
    await enter(page);
    await page.getByLabel('Find a person').fill('A');
    for (const button of [null, 'Find', 'Lend']) {
      if (button !== null) await send(page, button);
      for (const { colorScheme, width } of VIEWS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        assert.deepEqual(await findViolations(page), []);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        assert.ok(wide <= width, `${wide} pixels`);
      }
    }
  },
  { open: () => openLoans() },
);
