/**
 * Stories run in a real Chromium, each against an application of its own. Where there is no
 * Chromium they are skipped, with one line that says how to get it; in CI that is a failure.
 */
import { accessSync, constants } from 'node:fs';
import test from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import {
  type RunningApplication,
  startApplication,
} from '../application/testing/start-application.ts';

export interface Story {
  readonly site: RunningApplication;
  readonly browser: Browser;
  readonly page: Page;
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
  options: BrowserContextOptions = {},
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
    const site = await startApplication();
    const browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ARGUMENTS,
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

/** Makes the first account, and so logs in. */
export async function register(
  page: Page,
  username = 'ada',
  password = 'correct horse battery',
): Promise<void> {
  await page.goto('/register');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText(`Logged in as ${username}`).waitFor();
}
