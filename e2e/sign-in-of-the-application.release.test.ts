/**
 * The ways to sign in that the settings of the application switch on, each in the middle of a form that is filled in
 * afterwards and counts once. What else each way does is told of a site of the framework: accounts*.test.ts.
 */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import type { Environment } from '../application/settings/config.ts';
import { createTestDatabase } from '../application/testing/create-test-database.ts';
import { openMailServer } from '../application/testing/open-mail-server.ts';
import { findFreePort } from '../application/testing/postgres/find-free-port.ts';
import { startInProcess } from '../application/testing/start-in-process.ts';
import { startRealProvider } from '../framework/src/openid/real-provider.fixture.ts';
import { register, send, showsHeading, story } from './browser.ts';
import { addAuthenticator, watchOffer } from './finger.ts';
import type { Site } from './open-site.ts';

const NEW_PASSWORD = 'battery staple horse';
const SECRETS = 'a-secret-of-these-stories-with-enough-characters';

/** Sends a form whose session has ended. */
async function sendWithout(page: Page): Promise<void> {
  await page.goto('/items/new');
  await page.getByLabel('Name').fill('Ladder');
  await page.context().clearCookies();
  assert.equal(await send(page, 'Save item'), 401);
  await showsHeading(page, 'Log in to continue');
}

/** The form came back filled in, is sent twice, and counts once. */
async function addOnce(page: Page): Promise<void> {
  await showsHeading(page, 'Add an item');
  assert.equal(await page.getByLabel('Name').inputValue(), 'Ladder');
  await page.getByRole('button', { name: 'Save item' }).dblclick({ noWaitAfter: true });
  await showsHeading(page, 'Ladder No. 7');
  await page.goto('/items');
  await showsHeading(page, 'Items 7 items');
}

/** The application at a name, for passkeys; `stop` ends what its settings need. */
async function openAtName(
  start: (url: string) => Promise<readonly [Environment, () => Promise<unknown>]>,
): Promise<Site> {
  const PORT = String(await findFreePort());
  const url = `http://localhost:${PORT}`;
  const [environment, stop] = await start(url);
  const site = await startInProcess({ PORT, PUBLIC_ORIGIN: url, ...environment });
  return { ...site, url, stop: () => Promise.all([site.stop(), stop()]) };
}

interface StrictSite extends Site {
  /** Starts it again, with a second factor for administrators. */
  readonly beStrict: () => Promise<void>;
}

async function openToBeStrict(): Promise<StrictSite> {
  const { url: DATABASE_URL, drop } = await createTestDatabase();
  const settings = { PORT: String(await findFreePort()), DATABASE_URL, PASSKEYS: '0', SECRETS };
  let site = await startInProcess({ ...settings, SAMPLE_ITEMS: '1' });
  return {
    url: site.url,
    log: () => site.log(),
    async beStrict() {
      await site.stop();
      site = await startInProcess({ ...settings, SECOND_FACTOR_FOR: 'administrator' });
    },
    async stop() {
      await site.stop();
      await drop();
    },
  };
}

story(
  'an administrator who needs a second factor from now on adds one in the middle of a form',
  async ({ page, site }) => {
    await register(page);
    await page.goto('/items/new');
    await page.getByLabel('Name').fill('Ladder');
    await (site as StrictSite).beStrict();
    assert.equal(await send(page, 'Save item'), 403);
    await page.getByRole('link', { name: 'Add a second factor' }).click();
    await showsHeading(page, 'Second factor');
    const key = await page.locator('p > code').innerText();
    const secret = key.replaceAll(' ', '');
    await page.getByLabel('One-time code').fill(new TOTP({ secret }).generate());
    assert.equal(await send(page, 'Switch on'), 303);
    await addOnce(page);
  },
  { open: openToBeStrict },
);

const openWithPasskeys = () => openAtName(async () => [{}, async () => {}]);

story(
  'a passkey logs in, in the middle of a form',
  async ({ page }) => {
    await register(page);
    const { touch } = await addAuthenticator(page);
    await page.goto('/account/passkeys');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The passkey was added.').waitFor();
    await touch(false);
    const isOffered = await watchOffer(page);
    await sendWithout(page);
    await page.getByRole('link', { name: 'Other ways to log in' }).click();
    await showsHeading(page, 'Log in');
    await isOffered();
    await touch(true);
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await addOnce(page);
  },
  { open: openWithPasskeys, needsScripts: true },
);

const openWithCompany = () =>
  openAtName(async (url) => {
    const provider = await startRealProvider({
      redirectUris: [`${url}/login/with/company/return`],
    });
    const environment = {
      OPENID_ISSUER: provider.issuer,
      OPENID_CLIENT_ID: provider.clientId,
      OPENID_CLIENT_SECRET: provider.clientSecret,
      OPENID_NAME: 'Example Ltd',
      OPENID_REGISTER: '1',
      OPENID_ROLES: 'groups: site-admins=administrator',
    };
    return [environment, () => provider.close()];
  });

/** As another person than the first account, with the role of a group. */
async function signInAtCompany(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log in with Example Ltd' }).click();
  await page.locator('[name=login]').fill('ada');
  await page.locator('[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

story(
  'the company lets a person in, in the middle of a form',
  async ({ page }) => {
    await register(page);
    await page.context().clearCookies();
    await page.goto('/login');
    await signInAtCompany(page);
    await showsHeading(page, 'Items 6 items');
    await sendWithout(page);
    await page.getByRole('link', { name: 'Other ways to log in' }).click();
    await signInAtCompany(page);
    await addOnce(page);
  },
  { open: openWithCompany },
);

interface MailSite extends Site {
  readonly nextLink: () => Promise<string>;
}

async function openWithMails(): Promise<MailSite> {
  const releases: (() => unknown)[] = [];
  const mails = await openMailServer({ after: (release) => void releases.push(release as never) });
  const environment = {
    MAIL_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: 'things@example.org',
  };
  const site = await openAtName(async () => [
    environment,
    async () => {
      for (const release of releases) await release();
    },
  ]);
  let read = 0;
  return {
    ...site,
    async nextLink() {
      for (;;) {
        const link = /http:\S+token=\S+/.exec(mails.mails[read]?.body ?? '')?.[0];
        if (mails.mails.length > read) read++;
        if (link !== undefined) return link;
        await setTimeout(20);
      }
    },
  };
}

story(
  'a forgotten password is replaced with the link of a mail, in the middle of a form',
  async ({ page, site }) => {
    const { nextLink } = site as MailSite;
    await register(page);
    await page.goto('/account/email');
    await page.getByLabel('Email address').fill('ada@example.org');
    await send(page, 'Send a link');
    await page.goto(await nextLink());
    await send(page, 'Confirm the address');
    await showsHeading(page, 'Your account');
    await sendWithout(page);
    await page.getByRole('link', { name: 'Other ways to log in' }).click();
    await page.getByRole('link', { name: 'I forgot my password' }).click();
    await page.getByLabel('Email address').fill('ada@example.org');
    await send(page, 'Send a link');
    await page.goto(await nextLink());
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('New password again').fill(NEW_PASSWORD);
    await send(page, 'Save password');
    await addOnce(page);
  },
  { open: openWithMails },
);
