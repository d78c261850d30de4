/** Passkeys are added and log in, by a button and among usernames; without them, the page is as if there were none. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { findViolations, VIEWS } from './axe.ts';
import { showsHeading, story } from './browser.ts';
import { addAuthenticator, watchOffer } from './finger.ts';
import { openPasskeys, type PasskeysSite } from './open-passkeys.ts';
import { watchPolicy } from './watch-policy.ts';

const ADD = { name: 'Add a passkey', exact: true } as const;
const SIGN_IN = { name: 'Log in with a passkey', exact: true } as const;
const options = { open: openPasskeys, needsScripts: true };

/** Logs out, and waits until the browser offers passkeys among usernames. */
async function logOut(page: Page): Promise<void> {
  const isOffered = await watchOffer(page);
  await page.getByRole('button', { name: 'Log out' }).click();
  await showsHeading(page, 'Log in');
  await isOffered();
}

/** Logs in with the name, and opens the page with the passkeys. */
async function logInByName(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await showsHeading(page, 'Account');
}

async function addPasskey(page: Page): Promise<void> {
  await logInByName(page);
  await page.getByRole('button', ADD).click();
  await page.getByText('Passkeys: 1').waitFor();
}

function readAnswer(answer: string): { readonly challenge: string } {
  const { response } = JSON.parse(answer);
  return JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
}

story(
  'a passkey is added once, and logs in by its button to the next page',
  async ({ page, site }) => {
    const { stored, sent } = site as PasskeysSite;
    const violations = watchPolicy(page);
    const { touch } = await addAuthenticator(page);
    await addPasskey(page);
    // The same authenticator has one already.
    await page.getByRole('button', ADD).click();
    await page.getByText('You already have a passkey on this device').waitFor();
    assert.equal(stored.size, 1);
    for (const { colorScheme, width } of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await findViolations(page), []);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.ok(wide <= width, `${wide} pixels`);
    }
    // Without a touch, the browser offers it among usernames, and waits.
    await touch(false);
    await logOut(page);
    await touch(true);
    await page.getByRole('button', SIGN_IN).dblclick();
    await showsHeading(page, 'Account');
    assert.equal(new URL(page.url()).search, '?from=form');
    assert.equal(sent.length, 2);
    assert.deepEqual(violations(), []);
  },
  options,
);

story(
  'a passkey among usernames logs in as soon as it is chosen',
  async ({ page, site }) => {
    const { sent } = site as PasskeysSite;
    const violations = watchPolicy(page);
    await addAuthenticator(page);
    await addPasskey(page);
    // A touch chooses it.
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL('/?from=form');
    await showsHeading(page, 'Account');
    assert.equal(sent.length, 2);
    assert.deepEqual(violations(), []);
  },
  options,
);

story(
  'a question that was not answered can be asked again, and says what happened',
  async ({ page, site }) => {
    const { sent } = site as PasskeysSite;
    const violations = watchPolicy(page);
    const { touch, recognize } = await addAuthenticator(page);
    await addPasskey(page);
    await touch(false);
    await logOut(page);
    await recognize(false);
    await touch(true);
    await page.getByRole('button', SIGN_IN).click();
    await page
      .getByText('The passkey was not used: this was cancelled, or took too long.')
      .waitFor();
    assert.deepEqual(await findViolations(page), []);
    assert.equal(sent.length, 1);
    await recognize(true);
    await page.getByRole('button', SIGN_IN).click();
    await showsHeading(page, 'Account');
    assert.deepEqual(violations(), []);
  },
  options,
);

story(
  'an answer that the site refuses leads back to a form with another question',
  async ({ page, site }) => {
    const { stored, sent } = site as PasskeysSite;
    const { touch } = await addAuthenticator(page);
    await addPasskey(page);
    const all = [...stored];
    stored.clear();
    await touch(false);
    await logOut(page);
    await touch(true);
    const refused = page.waitForResponse((response) => response.url().endsWith('/login/passkey'));
    await page.getByRole('button', SIGN_IN).click();
    await refused;
    for (const [id, passkey] of all) stored.set(id, passkey);
    // There, the browser offers it among usernames.
    await page.waitForURL('/?from=form');
    const challenges = sent.map((answer) => readAnswer(answer).challenge);
    assert.ok(sent.length >= 3);
    assert.equal(new Set(challenges).size, sent.length);
  },
  options,
);

story(
  'a double click asks once',
  async ({ page, site }) => {
    await page.addInitScript(`{
      window.asked = 0;
      navigator.credentials.get = ({ mediation }) => {
        if (mediation === undefined) window.asked++;
        return new Promise(() => {});
      };
    }`);
    await page.goto('/login');
    await page.getByRole('button', SIGN_IN).dblclick();
    assert.equal(await page.evaluate('window.asked'), 1);
    assert.deepEqual((site as PasskeysSite).sent, []);
  },
  options,
);

story(
  'a browser without passkeys shows no form to log in, and says at the other what is missing',
  async ({ openBrowser, site }) => {
    const { sent } = site as PasskeysSite;
    const context = await openBrowser();
    await context.addInitScript('delete window.PublicKeyCredential');
    const page = await context.newPage();
    const violations = watchPolicy(page);
    await page.goto('/login');
    assert.equal(await page.getByRole('button', SIGN_IN).count(), 0);
    await logInByName(page);
    await page.getByText('This browser has no passkeys.').waitFor();
    await page.getByRole('button', ADD).click();
    assert.deepEqual(sent, []);
    assert.deepEqual(violations(), []);
  },
  options,
);

story(
  'with scripts off, no form for passkeys is shown, and the others work',
  async ({ openBrowser }) => {
    const page = await (await openBrowser({ javaScriptEnabled: false })).newPage();
    await page.goto('/login');
    assert.equal(await page.getByRole('button', SIGN_IN).count(), 0);
    await logInByName(page);
    assert.equal(await page.getByRole('button', ADD).count(), 0);
  },
  { open: openPasskeys },
);
