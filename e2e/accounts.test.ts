/**
 * A log-in by a password with a form that was sent without a session, and what other tabs, links and Back do to it.
 * accounts.release.test.ts has the other ways to log in. Without scripts.
 */
import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { send, showsHeading, story } from './browser.ts';
import { openAccountSite, PASSWORD } from './open-account-site.ts';
import {
  addOnce,
  asAccounts,
  EMAIL,
  NARROW,
  NOTE,
  openNote,
  passwordStep,
  sendWithout,
  tellWay,
} from './tell-way-in.ts';

tellWay({ name: 'a password', prepare: async () => [passwordStep] });

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
  'who has logged in in another tab sends the form of this one, and the log-in leads on',
  async ({ page, site: opened }) => {
    const site = asAccounts(opened);
    await openNote(page, site);
    const logIn = await page.context().newPage();
    await logIn.goto('/login?next=%2Fnotes');
    const other = await page.context().newPage();
    await other.goto('/login');
    await site.logInAs('ada', other);
    // The tab with the form of before.
    await page.getByLabel('Note').fill(NOTE);
    await page.getByRole('button', { name: 'Add note' }).click();
    await showsHeading(page, 'Notes');
    assert.deepEqual(site.notes, [NOTE]);
    // The tab with the page of the log-in.
    await logIn.reload();
    await showsHeading(logIn, 'Add a note');
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
  'Back after a refused form with a password shows it again, and does not ask whether to send it once more',
  async ({ page, site: opened }) => {
    const site = asAccounts(opened);
    await site.register('ada');
    const sends = async (button: string, typed: readonly (readonly [string, string])[]) => {
      for (const [label, text] of typed) await page.getByLabel(label, { exact: true }).fill(text);
      return send(page, button);
    };
    const goesBack = async (heading: string) => {
      await page.goBack({ waitUntil: 'commit' });
      await showsHeading(page, heading);
      await page.getByRole('alert').waitFor();
    };
    await page.goto(await site.invite());
    const name = ['Username', 'bob'] as const;
    const register = (again: string) =>
      sends('Create account', [name, ['Password', PASSWORD], ['Password again', again]]);
    assert.equal(await register('another'), 400);
    assert.equal(await register(PASSWORD), 303);
    await goesBack('Create an account');
    await page.goto('/account/password');
    const change = (now: string) =>
      sends('Save password', [
        ['Current password', now],
        ['New password', 'another few words'],
        ['New password again', 'another few words'],
      ]);
    assert.equal(await change('not the one'), 400);
    assert.equal(await change(PASSWORD), 303);
    await goesBack('Change your password');
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
