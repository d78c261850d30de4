/**
 * Stories run in a real Chromium, or a real Firefox, each on a site of its own. Where the browser is missing they are
 * skipped, with one line that says how to get it; in CI that is a failure.
 */
import test from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Environment } from '../application/settings/config.ts';
import { ENGINE } from '../application/testing/create-test-database.ts';
import { startInProcess } from '../application/testing/start-in-process.ts';
import {
  findChromium,
  findFirefox,
  shareBrowser,
  shareCertificate,
  shareFirefox,
} from './launch-browser.ts';
import { chooseBalancer, openSiteBehind, type Site } from './open-site.ts';
import { SCRIPT_OPTIONS, SCRIPTS_WORK, sabotageScripts } from './script-modes.ts';

export interface Story {
  readonly site: Site;
  readonly page: Page;
  /** Another browser, without cookies; closed at the end of the story. */
  readonly openBrowser: (options?: BrowserContextOptions) => Promise<BrowserContext>;
}

export interface StoryOptions extends BrowserContextOptions {
  /** Of the application, such as `{ SAMPLE_ITEMS: '0' }`. */
  readonly environment?: Environment;
  /**
   * What is stored, or what two instances share, decides the story: it is told again on PostgreSQL,
   * behind a balancer. What a page looks like and what the browser does with it are the same there.
   */
  readonly onPostgresToo?: boolean;
  /** Opens another site than the application. */
  readonly open?: () => Promise<Site>;
  /** Chromium when it is left out. Only on SQLite: a story in Firefox repeats one that is told in Chromium. */
  readonly browser?: 'chromium' | 'firefox';
  /** The story goes Back to a page: it needs a whole Chromium. False when it is left out. */
  readonly goesBack?: boolean;
  /** The story is about scripts: see script-modes.ts. */
  readonly needsScripts?: boolean;
}

/** Milliseconds. A script in a page has no limit of its own, and would hold up all tests. */
const TIME_LIMIT = 300_000;

const MISSING = {
  chromium: 'No Chromium found: install it ("apt-get install chromium"), or name one in CHROMIUM.',
  firefox: 'No Firefox found: install it ("apt-get install firefox-esr").',
};

/** One story: `tell` gets a site with sample items and a browser that has never seen it. */
export function story(
  name: string,
  tell: (story: Story) => Promise<void>,
  {
    environment,
    onPostgresToo = false,
    open,
    browser: engine = 'chromium',
    goesBack = false,
    needsScripts = false,
    ...options
  }: StoryOptions = {},
): void {
  if (ENGINE === 'postgres' && !onPostgresToo) return;
  if (needsScripts && !SCRIPTS_WORK) return;
  const program = engine === 'firefox' ? findFirefox() : findChromium(goesBack);
  const missing = MISSING[engine];
  const skip = !program && process.env['CI'] === undefined && missing;
  const balancer = chooseBalancer();
  const title = balancer === null ? name : `${name} (behind ${balancer})`;
  test(title, { skip, timeout: TIME_LIMIT }, async () => {
    if (!program) throw new Error(missing);
    const certificate = balancer === null ? null : shareCertificate();
    const browser = await (engine === 'firefox'
      ? shareFirefox(program)
      : shareBrowser(program, certificate));
    const site =
      balancer === null || certificate === null
        ? await (open?.() ?? startInProcess(environment))
        : await openSiteBehind(balancer, certificate, environment);
    const contexts: BrowserContext[] = [];
    const openBrowser = async (own: BrowserContextOptions = {}) => {
      // What `route.fetch` sends, this process sends, which believes in authorities alone.
      const shared = { baseURL: site.url, ignoreHTTPSErrors: true };
      const given = { ...shared, ...SCRIPT_OPTIONS, ...own };
      const context = await browser.newContext(given);
      // Firefox cannot be told to run no scripts: none arrives.
      if (engine === 'firefox' && given.javaScriptEnabled === false)
        await context.route('**/*.js', (route) => route.abort());
      await sabotageScripts(context);
      context.setDefaultTimeout(60_000);
      contexts.push(context);
      return context;
    };
    try {
      const context = await openBrowser(options);
      await tell({ site, page: await context.newPage(), openBrowser });
    } finally {
      await Promise.all(contexts.map((context) => context.close()));
      await site.stop();
    }
  });
}

export const ACCOUNT = { username: 'ada', password: 'correct horse battery' };

/** Makes the first account, and so logs in. How a person does it: narrow-and-without-script.test.ts. */
export async function register(page: Page): Promise<void> {
  // As a form of the site sends it.
  const headers = { 'sec-fetch-site': 'same-origin' };
  await page.request.post('/register', { form: ACCOUNT, headers });
  await page.goto('/items');
  await page.getByText(`Logged in as ${ACCOUNT.username}`).waitFor();
}

/** Logs in to the account that `register` made. */
export async function logIn(page: Page): Promise<void> {
  await page.goto('/login');
  await fillAccount(page);
  await send(page, 'Log in');
  await page.getByText(`Logged in as ${ACCOUNT.username}`).waitFor();
}

/** Opens the menu of the current user, and logs out; resolves to the status of the answer. */
export async function logOut(page: Page): Promise<number> {
  await page.locator('.viewer > button').click();
  return send(page, 'Log out');
}

/** The same person in another browser. */
export async function logInElsewhere(openBrowser: Story['openBrowser']): Promise<Page> {
  const page = await (await openBrowser()).newPage();
  await logIn(page);
  return page;
}

/** Fills the form to log in or to register that the page shows. */
export async function fillAccount(page: Page, account: Partial<typeof ACCOUNT> = {}) {
  const { username, password } = { ...ACCOUNT, ...account };
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  const again = page.getByLabel('Password again');
  if ((await again.count()) > 0) await again.fill(password);
}

/** What the script asks when a field is left. */
const CHECK = /_change=check|name="_change"\s+check/;

/**
 * Presses a button that sends a form; resolves to the status of the answer to that form, once the next page is whole.
 */
export async function send(page: Page, button: string): Promise<number> {
  const pressed = page.getByRole('button', { name: button, exact: true });
  const updates = (await pressed.getAttribute('name')) === '_change';
  const answer = page.waitForResponse((response) => {
    const request = response.request();
    if (request.method() !== 'POST') return false;
    if (!isFirefox(page)) return !CHECK.test(request.postData() ?? '');
    // Of Firefox, Playwright does not learn what was sent. The answer to a check is a page.
    return updates || response.status() !== 200 || request.resourceType() !== 'xhr';
  });
  await pressed.click();
  const status = (await answer).status();
  // Whoever measures a page whose style sheet is on its way measures it without the style sheet.
  await page.waitForLoadState();
  return status;
}

export const isFirefox = (page: Page) =>
  page.context().browser()?.browserType().name() === 'firefox';

/** Resolves once the page has this heading. */
export async function showsHeading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

/** How many items the list says that there are. */
export async function countItems(page: Page): Promise<string | null> {
  await page.goto('/items');
  return page.getByRole('heading', { level: 1 }).locator('.count').textContent();
}
