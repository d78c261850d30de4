/** The other ways to log in, told as the one by a password in accounts.test.ts, and the buttons of the account. */
import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { showsHeading, story } from './browser.ts';
import { openAccountSite, PASSWORD } from './open-account-site.ts';
import { clickTwice, overSlowLine } from './slow-line.ts';
import {
  asAccounts,
  EMAIL,
  passwordStep,
  type Step,
  tellWay,
  type Way,
  WIDE,
} from './tell-way-in.ts';

const follow = (name: string) => (page: Page) => page.getByRole('link', { name }).click();
const firstOfTwo: Step = { ...passwordStep, leadsTo: 'Confirm that it is you' };
const mailStep = (link: string, heading: string): Step => ({
  open: follow(link),
  heading,
  fields: { 'Email address': EMAIL },
  button: 'Send a link',
});

const WAYS: readonly Way[] = [
  {
    name: 'a new password for a forgotten one',
    async prepare(site) {
      const fields = {
        'New password': 'another few words',
        'New password again': 'another few words',
      };
      return [
        mailStep('I forgot my password', 'I forgot my password'),
        {
          open: (page) => page.goto(site.linkOfMail()),
          heading: 'Choose a new password',
          fields,
          button: 'Save password',
        },
      ];
    },
  },
  {
    name: 'a link by email',
    async prepare(site) {
      return [
        mailStep('Log in with a link by email', 'Log in with a link by email'),
        { open: (page) => page.goto(site.linkOfMail()), heading: 'Log in', button: 'Log in' },
      ];
    },
  },
  {
    name: 'a one-time code',
    async prepare(site) {
      const { secret } = await site.switchOnCodes('ada');
      const code = () => new TOTP({ secret }).generate({ timestamp: site.now() });
      return [
        firstOfTwo,
        { heading: 'Confirm that it is you', fields: { 'One-time code': code }, button: 'Log in' },
      ];
    },
  },
  {
    name: 'a recovery code',
    async prepare(site) {
      const { codes } = await site.switchOnCodes('ada');
      return [
        firstOfTwo,
        {
          open: follow('Use a recovery code'),
          heading: 'Confirm that it is you',
          fields: { 'Recovery code': codes[3] ?? '' },
          button: 'Log in',
        },
      ];
    },
  },
];

for (const way of WAYS) tellWay(way);

story(
  'a double click on each button of the account over a slow line does it once, and ends well',
  overSlowLine(async (page, line, opened) => {
    const site = asAccounts(opened);
    await site.register('ada', EMAIL);
    await site.register('bob');
    await page.goto('/login');
    await site.logInAs('bob', page);
    const twice = async (button: string, heading: string) => {
      await clickTwice(line, page.getByRole('main').getByRole('button', { name: button }));
      await showsHeading(page, heading);
    };
    await page.goto('/account/email');
    await page.getByLabel('Email address').fill('bob@example.org');
    await twice('Send a link', 'Check your email');
    await page.goto(site.linkOfMail());
    await twice('Confirm the address', 'Your account');
    await page.goto('/account/password');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill('another few words');
    await page.getByLabel('New password again').fill('another few words');
    await twice('Save password', 'Your account');
    await page.goto('/account/recovery-codes');
    await twice('I have saved these codes', 'Your account');
    await page.goto('/account/delete');
    await twice('Delete your account', 'Notes');
    await page.getByText('Your account was deleted.').waitFor();
    assert.deepEqual(
      site.mails.slice(1).map(({ subject }) => subject),
      [
        'Confirm your address at Notes',
        'Your account at Notes has changed',
        'Your account at Notes has changed',
      ],
    );
  }, WIDE),
  { open: openAccountSite },
);
