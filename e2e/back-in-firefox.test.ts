/** Back in a browser that stores less than Chromium: Firefox discards a page with `no-store`. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { ENGINE } from '../application/testing/open-test-database.ts';
import { requireProgram, skipWithout } from '../deploy/find-program.ts';
import { ACCOUNT } from './browser.ts';
import { launchFirefox } from './firefox.ts';
import { openSite } from './open-site.ts';

const TYPED = { name: 'Ladder', description: 'Three metres', location: 'Cellar', tags: 'tools' };

const FIREFOX = 'firefox-esr';
const skip = ENGINE === 'postgres' ? 'told on SQLite' : skipWithout(FIREFOX);

test('in Firefox, Back to the form of an item shows what was typed', { skip }, async (t) => {
  const site = await openSite();
  t.after(site.stop);
  const browser = await launchFirefox(requireProgram(FIREFOX));
  t.after(browser.close);
  const { click, evaluate, goBack, open, type, waitFor } = browser;

  await open(`${site.url}/register?next=/items/new`);
  await type('#username', ACCOUNT.username);
  await type('#password', ACCOUNT.password);
  await type('#passwordagain', ACCOUNT.password);
  await click('.form button');
  await waitFor("location.pathname === '/items/new'");
  for (const [name, text] of Object.entries(TYPED)) await type(`#${name}`, text);
  await click('nav a[href="/items"]');
  await waitFor("location.pathname === '/items'");

  await goBack();

  await waitFor("location.pathname === '/items/new'");
  const values = 'name description location tags'.split(' ').map((name) => `#${name}`);
  const shown = await evaluate(
    `JSON.stringify(${JSON.stringify(values)}.map((field) => document.querySelector(field).value))`,
  );
  assert.deepEqual(JSON.parse(String(shown)), Object.values(TYPED));
});
