/**
 * Stories run in a real Chromium, each against an application of its own. Where there is no
 * Chromium they are skipped, with one line that says how to get it; in CI that is a failure.
 */
import { accessSync, constants } from 'node:fs';
import test from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Environment } from '../application/config.ts';
import {
  type RunningApplication,
  startApplication,
} from '../application/testing/start-application.ts';

export interface Story {
  readonly site: RunningApplication;
  readonly browser: Browser;
  readonly page: Page;
}

export interface StoryOptions extends BrowserContextOptions {
  /** Of the application, such as `{ SAMPLE_ITEMS: '0' }`. */
  readonly environment?: Environment;
}

const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-sync',
];

/** One story: `tell` gets a site with sample items and a browser that has never seen it. */
export function story(
  name: string,
  tell: (story: Story) => Promise<void>,
  { environment, ...options }: StoryOptions = {},
): void {
  const executablePath = PLACES.find(isExecutable);
  const missing =
    'No Chromium found: install it ("apt-get install chromium"), or name one in CHROMIUM.';
  if (executablePath === undefined && process.env['CI'] !== undefined) {
    test(name, () => {
      throw new Error(missing);
    });
    return;
  }
  test(name, { skip: executablePath === undefined && missing }, async () => {
    const site = await startApplication(environment);
    const browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ARGUMENTS,
      // As for everybody: a page that is left is kept whole, and Back shows it without a request.
      // Such a page does not load again: `page.goBack({ waitUntil: 'commit' })`.
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
    try {
      const context = await browser.newContext({ baseURL: site.url, ...options });
      context.setDefaultTimeout(15_000);
      await tell({ site, browser, page: await context.newPage() });
    } finally {
      await browser.close();
      await site.stop();
    }
  });
}

function isExecutable(path: string | undefined): boolean {
  if (path === undefined) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const ACCOUNT = { username: 'ada', password: 'correct horse battery' };

/** Makes the first account, and so logs in. */
export async function register(page: Page): Promise<void> {
  await page.goto('/register');
  await fillAccount(page);
  await send(page, 'Create account');
  await page.getByText(`Logged in as ${ACCOUNT.username}`).waitFor();
}

/** The same person in another browser. */
export async function logInElsewhere(browser: Browser, baseURL: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL })).newPage();
  await page.goto('/login');
  await fillAccount(page);
  await send(page, 'Log in');
  await page.getByText(`Logged in as ${ACCOUNT.username}`).waitFor();
  return page;
}

/** Fills the form to log in or to register that the page shows. */
export async function fillAccount(page: Page, account: Partial<typeof ACCOUNT> = {}) {
  const { username, password } = { ...ACCOUNT, ...account };
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
}

/** Presses a button that sends a form; resolves to the status of the answer to that form. */
export async function send(page: Page, button: string): Promise<number> {
  const answer = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: button, exact: true }).click();
  return (await answer).status();
}

/** Resolves once the page has this heading. */
export async function showsHeading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

/** How many items the list says that there are. */
export async function countItems(page: Page): Promise<string | null> {
  await page.goto('/items');
  return page.getByRole('heading', { level: 1 }).locator('.count').textContent();
}
