/** The promises of a site, on the pages that `--crud` writes: without scripts, in a real browser. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createBarePostgresDatabase } from '../application/testing/postgres/cluster.ts';
import { createProxy } from '../application/testing/postgres/create-proxy.ts';
import { findFreePort } from '../application/testing/postgres/find-free-port.ts';
import { skipWithoutPrograms } from '../application/testing/postgres/find-programs.ts';
import { send, showsHeading, story } from '../e2e/browser.ts';
import { openFirefox, skipFirefox } from '../e2e/firefox.ts';
import type { Site } from '../e2e/open-site.ts';
import { clickTwice, overSlowLine } from '../e2e/slow-line.ts';
import { createProject, startProject } from './made-project.ts';

const FIELDS = 'name:text:Name, price:money:Price, bought:date:Bought on';
const CRUD = ['--crud', 'books', '--one', 'book', '--fields', FIELDS];

const make = (name: string, ...args: readonly string[]) => createProject(name, ...CRUD, ...args);

const WITHOUT_SCRIPTS = { javaScriptEnabled: false };

/** How many entries the list says that there are. */
async function countBooks(page: Page): Promise<string | null> {
  await page.goto('/books');
  return page.locator('.list-count').textContent();
}

async function fillBook(page: Page, name: string, price = '12.50'): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Price').fill(price);
}

const PASSWORD = 'correct horse battery';

/** From the page of the log-in. */
async function register(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Create the first account' }).click();
  await page.getByLabel('Username').fill('Ada');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Password again').fill(PASSWORD);
  await send(page, 'Create account');
}

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('Username').fill('Ada');
  await page.getByLabel('Password').fill(PASSWORD);
  await send(page, 'Log in');
}

story(
  'a book is added, changed and deleted by double clicks, over a slow line, with Back and refresh between them',
  overSlowLine(async (page, line) => {
    await page.goto('/');
    await page.getByText('No books yet.').waitFor();
    await page.getByRole('link', { name: 'New book' }).click();
    assert.equal(await send(page, 'Add'), 400);
    await page.getByRole('link', { name: 'Name is missing' }).waitFor();
    await fillBook(page, 'Emma');
    await clickTwice(line, page.getByRole('button', { name: 'Add' }));
    await showsHeading(page, 'Emma');
    await page.getByText('The book was added.').waitFor();
    await page.goBack({ waitUntil: 'commit' });
    await page.goBack({ waitUntil: 'commit' });
    await showsHeading(page, 'New book');
    await fillBook(page, 'Emma');
    assert.equal(await send(page, 'Add'), 303);
    await page.reload();
    // The form of the refused page and that of the first one are one form.
    assert.equal(await countBooks(page), '1 entry');
    await page.getByRole('link', { name: 'Emma' }).click();
    await page.getByRole('link', { name: 'Change' }).click();
    await fillBook(page, 'Emma', '20');
    await clickTwice(line, page.getByRole('button', { name: 'Save' }));
    await page.getByText('The book was changed.').waitFor();
    await page.getByText('€20.00').waitFor();
    await clickTwice(line, page.getByRole('button', { name: 'Delete' }));
    await page.getByText('The book was deleted.').waitFor();
    await page.reload();
    await clickTwice(line, page.getByRole('button', { name: 'Undo' }));
    await showsHeading(page, 'Emma');
    assert.equal(await countBooks(page), '1 entry');
  }, WITHOUT_SCRIPTS),
  { open: async () => startProject(make('clicked')), goesBack: true },
);

story(
  'of two tabs that change a book, the second sees both values, and that of a deleted one brings it back',
  async ({ openBrowser }) => {
    const context = await openBrowser(WITHOUT_SCRIPTS);
    const [one, other] = [await context.newPage(), await context.newPage()];
    await one.goto('/books/new');
    await fillBook(one, 'Emma');
    await send(one, 'Add');
    for (const page of [one, other]) await page.goto('/books/1/edit');
    await fillBook(one, 'Emma', '15');
    assert.equal(await send(one, 'Save'), 303);
    await fillBook(other, 'Emma, a novel');
    assert.equal(await send(other, 'Save'), 409);
    await other.getByText('Stored now: €15.00').waitFor();
    assert.equal(await other.getByLabel('Name').inputValue(), 'Emma, a novel');
    await one.goto('/books/1');
    assert.equal(await send(one, 'Delete'), 303);
    assert.equal(await send(other, 'Save'), 409);
    assert.equal(await other.getByLabel('Name').inputValue(), 'Emma, a novel');
    assert.equal(await send(other, 'Save'), 303);
    await showsHeading(other, 'Emma, a novel');
  },
  { open: async () => startProject(make('in-tabs')) },
);

story(
  'a form in whose middle the process is killed counts once after a restart and Back',
  async ({ openBrowser, site }) => {
    const page = await (await openBrowser(WITHOUT_SCRIPTS)).newPage();
    const rounds = [0, 5, 50];
    for (const milliseconds of rounds) {
      await page.goto('/books/new');
      await fillBook(page, `Killed after ${milliseconds}`);
      // The answer is lost, if there is one.
      await page.route('**/books/new?send', async (route) => {
        const answer = route.fetch({ maxRedirects: 0 }).catch(() => null);
        await setTimeout(milliseconds);
        await (site as Restarted).restart();
        await answer;
        await route.abort();
      });
      const failed = page.waitForEvent('requestfailed');
      await page.getByRole('button', { name: 'Add' }).click({ noWaitAfter: true });
      await failed;
      await page.unroute('**/books/new?send');
      await page.goBack({ waitUntil: 'commit' });
      await showsHeading(page, 'New book');
      assert.equal(await page.getByLabel('Price').inputValue(), '12.50');
      assert.equal(await send(page, 'Add'), 303);
    }
    assert.equal(await countBooks(page), `${rounds.length} entries`);
  },
  { open: () => openRestarted(make('killed')), goesBack: true },
);

interface Restarted extends Site {
  /** Kills the process, and starts it again at the same address. */
  readonly restart: () => Promise<void>;
}

async function openRestarted(project: string) {
  const environment = { PORT: `${await findFreePort()}` };
  let site = await startProject(project, environment);
  return {
    url: site.url,
    log: () => site.log(),
    stop: () => site.stop(),
    async restart() {
      await site.kill();
      site = await startProject(project, environment);
    },
  };
}

story(
  'with accounts, a book that was typed before a log-out comes back filled after the log-in, and counts once',
  async ({ openBrowser }) => {
    const context = await openBrowser(WITHOUT_SCRIPTS);
    const page = await context.newPage();
    await page.goto('/books/new');
    await showsHeading(page, 'Log in');
    await register(page);
    await showsHeading(page, 'New book');
    await fillBook(page, 'Emma');
    const other = await context.newPage();
    await other.goto('/');
    await send(other, 'Log out');
    assert.equal(await send(page, 'Add'), 401);
    await page.getByRole('link', { name: 'Log in' }).last().click();
    await logIn(page);
    await showsHeading(page, 'New book');
    assert.equal(await page.getByLabel('Price').inputValue(), '12.50');
    assert.equal(await send(page, 'Add'), 303);
    await showsHeading(page, 'Emma');
    assert.equal(await countBooks(page), '1 entry');
  },
  { open: async () => startProject(make('with-accounts', '--template', 'app')) },
);

story(
  'a file stays with its form through a refusal and a log-in, counts once by a double click, and is a download',
  overSlowLine(async (page, line) => {
    await page.goto('/films/new');
    await register(page);
    await showsHeading(page, 'New film');
    const script = { mimeType: 'text/html', buffer: Buffer.from('<script>alert(1)</script>') };
    await page.getByLabel('Poster').setInputFiles({ name: 'poster.html', ...script });
    assert.equal(await send(page, 'Add'), 400);
    await page.getByText('poster.html, 25 bytes').waitFor();
    const other = await page.context().newPage();
    await other.goto('/');
    await send(other, 'Log out');
    await page.getByLabel('Name').fill('Metropolis');
    assert.equal(await send(page, 'Add'), 401);
    await page.getByRole('link', { name: 'Log in' }).last().click();
    await logIn(page);
    await page.getByText('poster.html, 25 bytes').waitFor();
    await clickTwice(line, page.getByRole('button', { name: 'Add' }));
    await showsHeading(page, 'Metropolis');
    const path = await page.getByRole('link', { name: 'poster.html' }).getAttribute('href');
    const file = await page.request.get(path ?? '');
    assert.match(
      `${file.headers()['content-disposition']}`,
      /^attachment; filename="poster\.html"/,
    );
    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByLabel('Name').fill('Metropolis, 1927');
    await clickTwice(line, page.getByRole('button', { name: 'Save' }));
    await page.getByRole('link', { name: 'poster.html' }).waitFor();
    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByLabel('Remove Poster').check();
    await clickTwice(line, page.getByRole('button', { name: 'Save' }));
    await showsHeading(page, 'Metropolis, 1927');
    assert.equal(await page.getByRole('link', { name: 'poster.html' }).count(), 0);
    await page.goto('/films');
    assert.equal(await page.locator('.list-count').textContent(), '1 entry');
  }, WITHOUT_SCRIPTS),
  {
    async open() {
      const fields = ['--fields', 'name:text:Name, poster:file:Poster'];
      const films = ['--crud', 'films', '--one', 'film', ...fields, '--template', 'app'];
      return startProject(createProject('with-files', ...films));
    },
  },
);

test('while PostgreSQL is away the form is given back with 503, and counts once afterwards', {
  skip: skipWithoutPrograms(),
}, async (t) => {
  const { proxy, url } = await openOnPostgres(t);
  const form = await (await fetch(`${url}/books/new`)).text();
  const key = /name="_once" value="([^"]+)"/.exec(form)?.[1] ?? '';
  const body = () => new URLSearchParams({ _once: key, name: 'Emma', price: '12.50', bought: '' });
  const post = () =>
    fetch(`${url}/books/new`, {
      ...{ method: 'POST', body: body(), redirect: 'manual' as const },
      headers: { origin: url },
    });
  proxy.stall();
  const refused = await post();
  assert.equal(refused.status, 503);
  assert.match(await refused.text(), /Emma[\s\S]*12\.50[\s\S]*Try again/);
  proxy.goOn();
  proxy.cut();
  for (let count = 0; count < 2; count++) assert.equal((await post()).status, 303);
  assert.match(await (await fetch(`${url}/books`)).text(), /1 entry/);
});

async function openOnPostgres(t: TestContext) {
  const project = make('database-away', '--database', 'postgres');
  const database = await createBarePostgresDatabase();
  t.after(database.drop);
  const proxy = await createProxy(t, database.url);
  const { url, stop } = await startProject(project, { DATABASE_URL: proxy.url });
  t.after(async () => {
    proxy.goOn();
    await stop();
  });
  return { proxy, url };
}

test('a book is added once in Firefox, also after Back', {
  skip: skipFirefox,
}, async (t) => {
  const site = await startProject(make('in-firefox'));
  t.after(site.stop);
  const browser = await openFirefox(t);
  const { click, evaluate, goBack, open, type, waitFor } = browser;
  await open(`${site.url}/books/new`);
  await type('#name', 'Emma');
  await type('#price', '12.50');
  await click('main form button');
  await waitFor("document.querySelector('h1').textContent === 'Emma'");
  await goBack();
  await waitFor("document.querySelector('#name')?.value === 'Emma'");
  await click('main form button');
  await waitFor("document.querySelector('h1').textContent === 'Emma'");
  await open(`${site.url}/books`);
  assert.equal(await evaluate("document.querySelector('.list-count').textContent"), '1 entry');
});
