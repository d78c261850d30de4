/** Every page of accounts at 1280 and at 320 pixels, in both schemes: axe finds nothing, and nothing overflows. */
import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { findViolations } from './axe.ts';
import { send, story } from './browser.ts';
import { type AccountSite, openAccountSite, PASSWORD } from './open-account-site.ts';

const EMAIL = 'ada@example.org';
const VIEWS = [
  { width: 1280, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const;

/** The title of a page tells it from the others, and names it as its heading does. */
async function check(page: Page, title: string): Promise<void> {
  for (const { width, colorScheme } of VIEWS) {
    await page.setViewportSize({ width, height: 640 });
    await page.emulateMedia({ colorScheme });
    const where = `${title} at ${width}`;
    assert.equal(await page.title(), title);
    assert.deepEqual(await findViolations(page), [], where);
    const isNarrow = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
    assert.equal(isNarrow, true, `${where} does not overflow`);
  }
  const heading = await page.getByRole('heading', { level: 1 }).innerText();
  assert.equal(title.replace('Error: ', ''), heading);
}

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(text);
}

story(
  'the pages to register, to log in and of links are for everybody',
  async ({ page, openBrowser, site: opened }) => {
    const site = opened as AccountSite;
    await page.goto('/register');
    await check(page, 'Create the first account');
    await fill(page, { Username: 'a', Password: 'x', 'Password again': 'y' });
    await send(page, 'Create account');
    await check(page, 'Error: Create the first account');
    await site.register('ada', EMAIL);
    for (const [path, title] of [
      ['/register', 'You cannot register here'],
      ['/register?token=x', 'You cannot register here'],
      [await site.invite(), 'Create an account'],
      ['/login', 'Log in'],
      ['/password/new?token=x', 'This link does not work'],
      ['/mail-sent', 'Check your email'],
      ['/password/forgot', 'I forgot my password'],
    ] as const) {
      await page.goto(path);
      await check(page, title);
    }
    await fill(page, { 'Email address': EMAIL });
    await send(page, 'Send a link');
    await page.goto(site.linkOfMail());
    await check(page, 'Choose a new password');
    await page.goto('/login/link');
    await check(page, 'Log in with a link by email');
    await fill(page, { 'Email address': EMAIL });
    await send(page, 'Send a link');
    const other = await (await openBrowser()).newPage();
    await other.goto(site.linkOfMail());
    await check(other, 'This link does not work');
    await page.goto(site.linkOfMail());
    await check(page, 'Log in');
    await page.goto('/login');
    const focus = await page.evaluate('document.activeElement.id');
    assert.equal(focus, 'username', 'one can type at once');
    await fill(page, { Username: 'ada', Password: 'x' });
    await send(page, 'Log in');
    await check(page, 'Error: Log in');
  },
  { open: openAccountSite, needsScripts: true },
);

story(
  'the pages of an account and of people are for everybody',
  async ({ page, openBrowser, site: opened }) => {
    const site = opened as AccountSite;
    await site.register('ada', EMAIL);
    await site.register('bob');
    await site.register('christopher-robin-of-hundred-acre-wood');
    await page.goto('/login');
    await site.logInAs('ada', page);
    const elsewhere = await (await openBrowser()).newPage();
    await elsewhere.goto('/login');
    await site.logInAs('ada', elsewhere);
    for (const [path, title] of [
      ['/login/again', 'Log in again'],
      ['/account', 'Your account'],
      ['/account/password', 'Change your password'],
      ['/account/email', 'Email address'],
      ['/account/devices', 'Devices'],
      ['/account/delete', 'Delete your account'],
      ['/account/recovery-codes', 'Recovery codes'],
    ] as const) {
      await page.goto(path);
      await check(page, title);
    }
    const member = await (await openBrowser()).newPage();
    await member.goto('/login');
    await site.logInAs('bob', member);
    await member.goto('/people');
    await check(member, 'People');
    await page.goto('/account/delete');
    await send(page, 'Delete your account');
    await check(page, 'Error: Delete your account');
    await page.goto('/people');
    await fill(page, { 'Email address or name': 'eve@example.org' });
    await send(page, 'Invite');
    await check(page, 'People');
    await page.goto('/people/2');
    await check(page, 'bob');
    await send(page, 'Make a link for a new password');
    await check(page, 'bob');
    await send(page, 'Disable the account');
    await check(page, 'bob');
    await page.goto('/people/99');
    await check(page, 'Page not found');

    await page.goto('/account/second-factor');
    await check(page, 'Second factor');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the codes' }).click();
    assert.equal((await download).suggestedFilename(), 'recovery-codes.txt');
    await fill(page, { 'One-time code': '1' });
    await send(page, 'Switch on');
    await check(page, 'Error: Second factor');
    const key = await page.locator('p > code').innerText();
    const code = () =>
      new TOTP({ secret: key.replaceAll(' ', '') }).generate({ timestamp: site.now() });
    await fill(page, { 'One-time code': code() });
    assert.equal(await send(page, 'Switch on'), 303);
    await page.goto('/account/second-factor');
    await check(page, 'Second factor');
    await page.goto('/account/second-factor/off');
    await check(page, 'Second factor');

    const other = await (await openBrowser()).newPage();
    await other.goto('/login?next=%2Fnotes');
    await site.logInAs('ada', other);
    await check(other, 'Confirm that it is you');
    assert.equal(await other.evaluate('document.activeElement.id'), 'code');
    await fill(other, { 'One-time code': '1' });
    await send(other, 'Log in');
    await check(other, 'Error: Confirm that it is you');
    await other.getByRole('link', { name: 'Use a recovery code' }).click();
    await other.getByLabel('Recovery code').waitFor();
    await check(other, 'Confirm that it is you');
    await other.goto('/login');
    for (let count = 0; count < 30 && (await other.title()) !== 'Too many attempts'; count++) {
      await other.goto('/login');
      await fill(other, { Username: 'bob', Password: `${PASSWORD} ${count}` });
      await send(other, 'Log in');
    }
    await check(other, 'Too many attempts');
  },
  { open: openAccountSite, needsScripts: true },
);
