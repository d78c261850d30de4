/** Passkeys of accounts: added, and used in each way, with a form that was sent without a session on the way. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { passkeys } from 'seeother/passkeys';
import { findViolations, VIEWS } from './axe.ts';
import { send, showsHeading, story } from './browser.ts';
import { addAuthenticator, type Finger, watchOffer } from './finger.ts';
import { openFirefox, skipFirefox } from './firefox.ts';
import { type AccountSite, openAccountSite, PASSWORD } from './open-account-site.ts';
import { SCRIPTS_WORK } from './script-modes.ts';
import { watchPolicy } from './watch-policy.ts';

const NOTE = 'not lost';
const open = () => openAccountSite({ passkeys: passkeys({ name: 'Notes' }) });
const options = { open, needsScripts: true };

async function logInByPassword(page: Page): Promise<void> {
  await page.getByLabel('Username', { exact: true }).fill('ada');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** Makes an account with a passkey. Without a touch, the browser offers it among usernames, and waits. */
async function addPasskey(page: Page, site: AccountSite): Promise<Finger> {
  const finger = await addAuthenticator(page);
  await site.register('ada');
  await page.goto('/login?next=%2Faccount%2Fpasskeys');
  await logInByPassword(page);
  await showsHeading(page, 'Your passkeys');
  await page.getByLabel('Name of the new passkey').fill('Blue key');
  await page.getByRole('button', { name: 'Add a passkey', exact: true }).dblclick();
  await page.getByText('The passkey was added.').waitFor();
  await page.getByRole('link', { name: 'Blue key' }).waitFor();
  await finger.touch(false);
  return finger;
}

/** Sends a form whose session has ended, and goes on to the log-in. */
async function sendWithout(page: Page): Promise<void> {
  await page.goto('/notes');
  await page.context().clearCookies();
  await page.getByLabel('Note').fill(NOTE);
  assert.equal(await send(page, 'Add note'), 401);
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
}

async function addOnce(page: Page, site: AccountSite): Promise<void> {
  await showsHeading(page, 'Add a note');
  assert.equal(await page.getByLabel('Note').inputValue(), NOTE);
  await page.getByRole('button', { name: 'Add note' }).dblclick({ noWaitAfter: true });
  await showsHeading(page, 'Notes');
  assert.deepEqual(site.notes, [NOTE]);
}

async function isAccessible(page: Page): Promise<void> {
  for (const { colorScheme, width } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await findViolations(page), []);
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(wide <= width, `${page.url()} has ${wide} pixels of ${width}`);
  }
}

story(
  'a passkey logs in by its button, and the form that waits is filled in and counts once',
  async ({ page, site: any }) => {
    const site = any as AccountSite;
    const violations = watchPolicy(page);
    const { touch } = await addPasskey(page, site);
    await isAccessible(page);
    const isOffered = await watchOffer(page);
    await sendWithout(page);
    await showsHeading(page, 'Log in');
    await isOffered();
    await isAccessible(page);
    await touch(true);
    await page.getByRole('button', { name: 'Log in with a passkey' }).dblclick();
    await addOnce(page, site);
    assert.deepEqual(violations(), []);
  },
  options,
);

story(
  'a passkey among usernames logs in as soon as it is chosen, to the form that waits',
  async ({ page, site: any }) => {
    const site = any as AccountSite;
    const violations = watchPolicy(page);
    const { touch } = await addPasskey(page, site);
    // A touch chooses it.
    await touch(true);
    await sendWithout(page);
    await addOnce(page, site);
    assert.deepEqual(violations(), []);
  },
  options,
);

story(
  'a passkey is asked for behind the password, and again after it was refused',
  async ({ page, site: any }) => {
    const site = any as AccountSite;
    const violations = watchPolicy(page);
    const { touch, recognize } = await addPasskey(page, site);
    await page.getByRole('link', { name: 'Make new recovery codes' }).click();
    await page.getByRole('button', { name: 'I have saved these codes' }).click();
    await page.goto('/account/passkeys/after-password');
    await isAccessible(page);
    await page.getByLabel('Also ask for a passkey after the password').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('After the password, you are also asked for a passkey.').waitFor();
    await sendWithout(page);
    await logInByPassword(page);
    await showsHeading(page, 'Confirm that it is you');
    await isAccessible(page);
    await recognize(false);
    await touch(true);
    const use = page.getByRole('button', { name: 'Use a passkey' });
    await use.click();
    await page.getByText('The passkey was not used').waitFor();
    await recognize(true);
    await use.dblclick();
    await addOnce(page, site);
    assert.deepEqual(violations(), []);
  },
  options,
);

story(
  'a page that was open for too long asks again, and a passkey that was removed logs in no more',
  async ({ page, openBrowser, site: any }) => {
    const site = any as AccountSite;
    const { touch } = await addPasskey(page, site);
    const isOffered = await watchOffer(page);
    await page.getByRole('button', { name: 'Log out' }).click();
    await showsHeading(page, 'Log in');
    await isOffered();
    site.pass(31 * 60_000);
    await touch(true);
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    // The page that says so offers it among usernames again.
    await showsHeading(page, 'Notes');
    await touch(false);
    const other = await (await openBrowser()).newPage();
    await other.goto('/login?next=%2Faccount%2Fpasskeys');
    await logInByPassword(other);
    await other.getByRole('link', { name: 'Blue key' }).click();
    await isAccessible(other);
    await other.getByRole('button', { name: 'Remove the passkey' }).click();
    await other.getByText('The passkey was removed.').waitFor();
    const refused = page.waitForResponse((response) => response.url().includes('/login/passkey'));
    await touch(true);
    await page.goto('/account');
    assert.equal((await refused).status(), 401);
    await touch(false);
  },
  options,
);

story(
  'without scripts, the pages have the other ways',
  async ({ openBrowser, site: any }) => {
    const site = any as AccountSite;
    const page = await (await openBrowser({ javaScriptEnabled: false })).newPage();
    await site.register('ada');
    await page.goto('/login?next=%2Faccount%2Fpasskeys');
    assert.equal(await page.getByRole('button', { name: 'Log in with a passkey' }).count(), 0);
    await logInByPassword(page);
    await showsHeading(page, 'Your passkeys');
    await page.locator('noscript').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0);
    await sendWithout(page);
    await logInByPassword(page);
    await addOnce(page, site);
  },
  { open },
);

const skip = SCRIPTS_WORK ? skipFirefox : 'told once';

test('in Firefox, which has no passkey here, the log-in by a password works beside it', {
  skip,
}, async (t) => {
  const site = await open();
  t.after(() => site.stop());
  await site.register('ada');
  const firefox = await openFirefox(t);
  const { click, evaluate, open: openPage, type, waitFor } = firefox;
  await openPage(`${site.url}/login?next=%2Faccount%2Fpasskeys`);
  await waitFor(`!document.querySelector('form[data-passkey]').hidden`);
  await evaluate(
    `navigator.credentials.get = async () => { throw new DOMException('', 'NotAllowedError'); }`,
  );
  await click('form[data-passkey] button');
  await waitFor(`document.querySelector('[data-passkey-error]').textContent.includes('cancelled')`);
  await type('[name=username]', 'ada');
  await type('[name=password]', PASSWORD);
  await click('form:not([data-passkey]) button:not([hidden])');
  await waitFor(`document.querySelector('h1').textContent === 'Your passkeys'`);
});
