/** People sign in with a company account, at a real provider on another site. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { Page } from 'playwright-core';
import { openId } from 'seeother/openid';
import { startRealProvider } from '../framework/src/openid/real-provider.fixture.ts';
import { findViolations } from './axe.ts';
import { showsHeading, story } from './browser.ts';
import { type AccountSite, openAccountSite, PASSWORD } from './open-account-site.ts';

const NARROW = { viewport: { width: 320, height: 640 } };

/** With one account, and a company whose people get one. */
function openSite(responseMode: 'query' | 'form_post') {
  return async (): Promise<AccountSite> => {
    const port = await findPort();
    const engine = openId({
      ...{ id: 'company', name: 'Example', issuer: `http://localhost:${port}` },
      ...{ clientId: 'site', clientSecret: 'the secret of the site', responseMode },
    });
    const site = await openAccountSite({ providers: [{ ...engine, register: true }] });
    const redirectUris = [`${site.url}/login/with/company/return`];
    const provider = await startRealProvider({ redirectUris, port, host: 'localhost' });
    await site.register('owner', 'owner@example.com');
    return {
      ...site,
      async stop() {
        await provider.close();
        await site.stop();
      },
    };
  };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The pages of the provider. */
async function signInThere(page: Page, name: string): Promise<void> {
  await page.locator('[name=login]').fill(name);
  await page.locator('[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Sends a note without a session, and goes to the log-in. */
async function losesSession(page: Page): Promise<void> {
  await page.goto('/login?next=%2Fnotes');
  await page.getByRole('button', { name: 'Log in with Example' }).click();
  await signInThere(page, 'ada');
  await showsHeading(page, 'Add a note');
  await page.context().clearCookies();
  await page.getByLabel('Note').fill('not lost');
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
}

async function addsTheNote(page: Page, site: AccountSite): Promise<void> {
  await showsHeading(page, 'Add a note');
  assert.equal(await page.getByLabel('Note').inputValue(), 'not lost');
  await page.getByRole('button', { name: 'Add note' }).dblclick();
  await page.getByText('The note was added.').waitFor();
  assert.deepEqual(site.notes, ['not lost']);
}

for (const responseMode of ['query', 'form_post'] as const) {
  story(
    `a form is filled in after a sign-in at a company that answers by ${responseMode}`,
    async ({ page, site }) => {
      await losesSession(page);
      await page.getByRole('button', { name: 'Log in with Example' }).click();
      await signInThere(page, 'ada');
      await addsTheNote(page, site as AccountSite);
    },
    { ...NARROW, open: openSite(responseMode), needsScripts: true },
  );
}

story(
  'a form is filled in after a sign-in at a company, without scripts',
  async ({ page, site }) => {
    await losesSession(page);
    await page.getByRole('button', { name: 'Log in with Example' }).click();
    await signInThere(page, 'ada');
    await addsTheNote(page, site as AccountSite);
  },
  { ...NARROW, open: openSite('query'), javaScriptEnabled: false },
);

story(
  'a company account with the address of an account is linked after a log-in, by a button',
  async ({ page, site, openBrowser }) => {
    const isFine = async () => {
      assert.deepEqual(await findViolations(page), []);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.equal(width, 320, page.url());
    };
    await page.goto('/login');
    await isFine();
    await page.getByRole('button', { name: 'Log in with Example' }).click();
    await signInThere(page, 'owner');
    await showsHeading(page, 'Link your company account');
    await isFine();
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
    await page.locator('#username').fill('owner');
    await page.locator('#password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByText('owner@example.com').first().waitFor();
    await isFine();
    await page.getByRole('button', { name: 'Link it' }).click();
    await showsHeading(page, 'Company accounts');
    await isFine();
    const other = await (await openBrowser()).newPage();
    await other.goto('/login?next=%2Faccount');
    await other.getByRole('button', { name: 'Log in with Example' }).click();
    await signInThere(other, 'owner');
    await showsHeading(other, 'Your account');
    // A sign-in that was begun elsewhere.
    await page.goto(`/login/with/company/return?code=any&state=${'x'.repeat(43)}`);
    await showsHeading(page, 'You are not logged in with your company account');
    await isFine();
    assert.equal(
      (site as AccountSite).mails.some(({ text }) => /was linked/.test(text)),
      true,
    );
  },
  { ...NARROW, open: openSite('query'), needsScripts: true },
);
