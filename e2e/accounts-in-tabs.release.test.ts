/** What other tabs, links and Back do to a log-in, beside accounts.test.ts. Without scripts. */
import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { send, showsHeading, story } from './browser.ts';
import { openAccountSite, PASSWORD } from './open-account-site.ts';
import { addOnce, asAccounts, EMAIL, NARROW, NOTE, openNote, sendWithout } from './tell-way-in.ts';

const options = { open: openAccountSite, goesBack: true, ...NARROW };

story(
  'a form is filled in after an invitation was used in another tab, and a double click makes one account',
  async ({ page, site: opened }) => {
    const site = asAccounts(opened);
    await openNote(page, site);
    await page.getByLabel('Note').fill(NOTE);
    assert.equal(await send(page, 'Add note'), 401);
    const other = await page.context().newPage();
    const invitation = await site.invite();
    await other.goto(invitation);
    for (const [label, text] of Object.entries({
      Username: 'bob',
      Password: PASSWORD,
      'Password again': PASSWORD,
    }))
      await other.getByLabel(label, { exact: true }).fill(text);
    await other.getByRole('button', { name: 'Create account' }).dblclick({ noWaitAfter: true });
    await showsHeading(other, 'Notes');
    await other.getByRole('link', { name: 'bob' }).waitFor();
    // Back over the form shows a page, and its link does not work again.
    await other.goBack({ waitUntil: 'commit' });
    assert.notEqual(await other.title(), '', 'Back shows a page');
    await other.reload();
    await showsHeading(other, 'You cannot register here');
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
    // It was opened by ada, and is now somebody else's.
    await showsHeading(page, 'Add a note');
    await send(page, 'Add note');
    await page.getByText('you are logged in as bob now').waitFor();
    await addOnce(page, site);
  },
  options,
);

story(
  'what needs a recent log-in comes back filled in after it, and counts once',
  async ({ page, site: opened }) => {
    const site = asAccounts(opened);
    await site.register('ada');
    await page.goto('/login');
    await site.logInAs('ada', page);
    await page.goto('/notes/recent');
    site.pass(11 * 60_000);
    await sendWithout(page, 'Log in again');
    assert.equal(await page.getByLabel('Username').inputValue(), 'ada');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Log in' }).dblclick();
    await addOnce(page, site);
  },
  options,
);

story(
  'a form of the log-in that waited in a tab while another one logged in leads on, too',
  async ({ page, site: opened }) => {
    const site = asAccounts(opened);
    await site.register('ada');
    await page.goto('/login?next=%2Fnotes');
    const other = await page.context().newPage();
    await other.goto('/login');
    await site.logInAs('ada', other);
    await site.logInAs('ada', page);
    await showsHeading(page, 'Add a note');
    await other.goto('/account');
    await showsHeading(other, 'Your account');
  },
  options,
);

story(
  'Back after a log-in with a code leads on, and the code is not asked for again',
  async ({ page, site: opened }) => {
    const site = asAccounts(opened);
    await site.register('ada');
    const { secret } = await site.switchOnCodes('ada');
    await page.goto('/login?next=%2Fnotes');
    await site.logInAs('ada', page);
    await page
      .getByLabel('One-time code')
      .fill(new TOTP({ secret }).generate({ timestamp: site.now() }));
    await send(page, 'Log in');
    await showsHeading(page, 'Add a note');
    await page.goBack({ waitUntil: 'commit' });
    await page.reload();
    await showsHeading(page, 'Add a note');
    // The form of the page before, sent once more.
    await page.goto('/login/second-factor?next=%2Fnotes');
    await showsHeading(page, 'Add a note');
  },
  options,
);

story(
  'a link of a mail works in the browser that asked for it, and says so in another one',
  async ({ page, openBrowser, site: opened }) => {
    const site = asAccounts(opened);
    await site.register('ada', EMAIL);
    await page.goto('/login/link?next=%2Fnotes');
    await page.getByLabel('Email address').fill(EMAIL);
    await send(page, 'Send a link');
    const other = await (await openBrowser(NARROW)).newPage();
    await other.goto(site.linkOfMail());
    await showsHeading(other, 'This link does not work');
    await other.getByText('Open this link in the browser in which you asked for it').waitFor();
    await page.goto(site.linkOfMail());
    assert.equal(await send(page, 'Log in'), 303);
    await showsHeading(page, 'Add a note');
    await page.goBack({ waitUntil: 'commit' });
    await page.reload();
    await showsHeading(page, 'This link does not work');
  },
  options,
);

story(
  'a link for a new password that is opened in two tabs sets one password',
  async ({ page, site: opened }) => {
    const site = asAccounts(opened);
    await site.register('ada', EMAIL);
    await page.goto('/password/forgot');
    await page.getByLabel('Email address').fill(EMAIL);
    await send(page, 'Send a link');
    const other = await page.context().newPage();
    for (const tab of [page, other]) {
      await tab.goto(site.linkOfMail());
      await showsHeading(tab, 'Choose a new password');
    }
    const choose = async (tab: Page, password: string) => {
      await tab.getByLabel('New password', { exact: true }).fill(password);
      await tab.getByLabel('New password again').fill(password);
      return send(tab, 'Save password');
    };
    assert.equal(await choose(page, 'the first of two'), 303);
    assert.equal(await choose(other, 'the second of two'), 404);
    await showsHeading(other, 'This link does not work');
    await page.goto('/account');
    await showsHeading(page, 'Your account');
  },
  options,
);
