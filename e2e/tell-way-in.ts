/**
 * The stories that each way to log in has, and their pieces: a note is sent without a session, comes back filled in
 * after the log-in, and counts once. Without scripts.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { send, showsHeading, story } from './browser.ts';
import { type AccountSite, openAccountSite, PASSWORD } from './open-account-site.ts';
import { clickTwice, overSlowLine } from './slow-line.ts';

export const EMAIL = 'ada@example.org';
export const NOTE = 'not lost';

/** One form on the way: how to get to it, what to type, and its button. */
export interface Step {
  readonly open?: (page: Page) => Promise<unknown>;
  readonly heading: string;
  readonly fields?: Readonly<Record<string, string | (() => string)>>;
  readonly button: string;
  /** The heading of the page that follows, if it is neither the form that was lost nor "Check your email". */
  readonly leadsTo?: string;
}

export interface Way {
  readonly name: string;
  /** What follows the page of the 401. */
  readonly prepare: (site: AccountSite) => Promise<readonly Step[]>;
}

export const passwordStep: Step = {
  heading: 'Log in',
  fields: { Username: 'ada', Password: PASSWORD },
  button: 'Log in',
};

export const asAccounts = (site: unknown) => site as AccountSite;

async function fill(page: Page, { fields = {} }: Step): Promise<void> {
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(typeof text === 'string' ? text : text());
}

/** Sends a form whose session has ended, and goes on to the log-in. */
export async function sendWithout(page: Page, logIn = 'Log in'): Promise<void> {
  await page.getByLabel('Note').fill(NOTE);
  assert.equal(await send(page, 'Add note'), 401);
  await showsHeading(page, 'Log in to continue');
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await showsHeading(page, logIn);
}

/** Opens the form while logged in, and loses the session. */
export async function openNote(page: Page, site: AccountSite): Promise<void> {
  await site.register('ada', EMAIL);
  await page.goto('/login');
  await site.logInAs('ada', page);
  await page.goto('/notes');
  await page.context().clearCookies();
}

export async function addOnce(page: Page, site: AccountSite): Promise<void> {
  await showsHeading(page, 'Add a note');
  assert.equal(await page.getByLabel('Note').inputValue(), NOTE);
  await page.getByRole('button', { name: 'Add note' }).dblclick({ noWaitAfter: true });
  await showsHeading(page, 'Notes');
  assert.deepEqual(site.notes, [NOTE]);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
}

export const NARROW = { viewport: { width: 320, height: 640 }, javaScriptEnabled: false };
export const WIDE = { viewport: { width: 1280, height: 800 }, javaScriptEnabled: false };

/** Once with F5 and Back on each page, and once with a double click on each button. */
export function tellWay({ name, prepare }: Way): void {
  story(
    `with ${name}, and F5 and Back on each page, a form is filled in and counts once`,
    async ({ page, site: opened }) => {
      const site = asAccounts(opened);
      await openNote(page, site);
      const steps = await prepare(site);
      await sendWithout(page);
      for (const step of steps) {
        await step.open?.(page);
        await showsHeading(page, step.heading);
        await page.reload();
        await fill(page, step);
        assert.equal(await send(page, step.button), 303);
        await page.reload();
        const { pathname } = new URL(page.url());
        await page.goBack({ waitUntil: 'commit' });
        assert.notEqual(await page.title(), '', 'Back shows a page');
        await page.goForward({ waitUntil: 'commit' });
        assert.equal(new URL(page.url()).pathname, pathname);
      }
      await addOnce(page, site);
    },
    { open: openAccountSite, goesBack: true, ...NARROW },
  );

  story(
    `with ${name}, and a double click on each button over a slow line, a form counts once`,
    overSlowLine(async (page, line, opened) => {
      const site = asAccounts(opened);
      await openNote(page, site);
      const steps = await prepare(site);
      await sendWithout(page);
      for (const [at, step] of steps.entries()) {
        await step.open?.(page);
        await showsHeading(page, step.heading);
        await fill(page, step);
        await clickTwice(line, page.getByRole('main').getByRole('button', { name: step.button }));
        const isLast = at === steps.length - 1;
        await showsHeading(page, isLast ? 'Add a note' : (step.leadsTo ?? 'Check your email'));
      }
      await addOnce(page, site);
    }, WIDE),
    { open: openAccountSite },
  );
}
