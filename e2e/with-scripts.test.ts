/** What the script adds to the pages. The other stories tell that each page works without it: see script-modes.ts. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { register, story } from './browser.ts';

story(
  'with scripts, lists and quantities change in place, and small steps are saved',
  async ({ page, openBrowser }) => {
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'xhr') requests.push(request.method());
    });
    await register(page);
    await listInPlace(page, requests);
    await searchFromForm(page);
    await quantityInPlace(page);
    await rowsWithShift(page);
    await droppedFile(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await linkAndTimes(page);
    // Nothing of it is for a page without a search, a table or a form.
    await (await (await openBrowser()).newPage()).goto('/login');
  },
  { needsScripts: true },
);

/** Set on a page, and lost when the browser loads another. */
const mark = (page: Page) => page.evaluate('window.isSame = true');
const isMarked = (page: Page) => page.evaluate<boolean>("'isSame' in window");
const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

/** What a screen reader says. */
function hears(page: Page, text: string): Promise<void> {
  return page.locator('body > [aria-live]', { hasText: text }).waitFor();
}

async function listInPlace(page: Page, requests: readonly string[]): Promise<void> {
  const query = () => page.getByRole('searchbox').inputValue();
  await page.goto('/items');
  await mark(page);
  await page.keyboard.press('/');
  await page.keyboard.type('meeting');
  await hears(page, '2 items match.');
  assert.equal(new URL(page.url()).searchParams.get('q'), 'meeting');
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click();
  await page.getByRole('table', { name: 'Name, A to Z' }).waitFor();
  assert.equal(await focused(page), 'Name');
  await page.goBack();
  await page.getByRole('table', { name: 'Best matches first' }).waitFor();
  assert.equal(await query(), 'meeting');
  assert.ok(await isMarked(page), 'no page was loaded');

  // After a refused search, only Enter searches.
  await page.clock.install();
  await page.route('**/items?*', (route) => route.fulfill({ status: 503, body: '' }));
  const refused = page.waitForResponse((answer) => answer.status() === 503);
  await page.getByRole('searchbox').fill('meet');
  await page.clock.runFor(1_000);
  await (await refused).finished();
  const { length } = requests;
  await page.unroute('**/items?*');
  await page.getByRole('searchbox').fill('cellar');
  await page.clock.runFor(10_000);
  assert.equal(requests.length, length);
  assert.equal(await query(), 'cellar');
  assert.ok(await isMarked(page), 'no page was loaded');
}

/** A form that is being filled in is replaced by no result. */
async function searchFromForm(page: Page): Promise<void> {
  await page.goto('/items/new');
  await page.getByLabel('Name').fill('Ladder');
  await page.getByRole('searchbox').pressSequentially('cable');
  await page.waitForTimeout(500);
  assert.equal(await page.getByLabel('Name').inputValue(), 'Ladder');
  await page.getByRole('searchbox').press('Enter');
  await page.getByText('1 item matches.').waitFor();
}

async function quantityInPlace(page: Page): Promise<void> {
  const add = page.getByRole('button', { name: 'Add one' });
  await page.goto('/items/2');
  await mark(page);
  for (const quantity of ['3', '4']) {
    await add.click();
    await hears(page, `Quantity is now ${quantity}`);
    assert.equal(await focused(page), '+');
  }
  assert.ok(await isMarked(page), 'no page was loaded');

  // An answer that is lost: the browser itself sends the same form, which is carried out once.
  await page.route(
    '**/quantity?*',
    async (route) => {
      await route.fetch({ maxRedirects: 0 });
      await route.abort();
    },
    { times: 1 },
  );
  const loaded = page.waitForEvent('load');
  await add.dblclick();
  await loaded;
  await page.locator('.quantity strong').getByText('5').waitFor();
  await page.reload();
  await page.locator('.quantity strong').getByText('5').waitFor();

  // Back ends a form that has no answer yet; the next one is sent.
  await page.goto('/items/2?other');
  await add.click();
  await hears(page, 'Quantity is now 6');
  await page.route('**/quantity?*', () => {}, { times: 1 });
  const sent = page.waitForRequest('**/quantity?*');
  await add.click();
  await sent;
  await page.goBack();
  await page.waitForURL('/items/2?other');
  await page.locator('.flash').waitFor({ state: 'detached' });
  await add.click();
  await hears(page, 'Quantity is now 7');
}

async function rowsWithShift(page: Page): Promise<void> {
  await page.goto('/items/select');
  const boxes = page.getByRole('row').getByRole('checkbox');
  await boxes.nth(4).check();
  await boxes.nth(1).click({ modifiers: ['Shift'] });
  assert.equal(await page.locator('tbody :checked').count(), 4);
}

async function droppedFile(page: Page): Promise<void> {
  await page.goto('/items');
  await page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['name\\nLadder'], 'things.csv'));
    const target = document.querySelector('main h1');
    target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }`);
  await page.waitForURL('/items/import');
  await page.locator('[type=file]:focus').waitFor();
  const name = await page.evaluate("document.querySelector('[type=file]').files[0].name");
  assert.equal(name, 'things.csv');
}

async function linkAndTimes(page: Page): Promise<void> {
  await page.goto('/people');
  await page.getByLabel('Name').fill('Bob');
  await page.getByRole('button', { name: 'Invite' }).click();
  const message = page.locator('.flash');
  const address = await message.locator('code.address').textContent();
  await message.getByRole('button', { name: 'Copy the link' }).click();
  await hears(page, 'Copied');
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), address);

  await page.goto('/account');
  await page.getByText('now', { exact: true }).first().waitFor();
  await page.clock.install();
  await page.reload();
  await page.clock.fastForward('05:00');
  await page.getByText('5 minutes ago', { exact: true }).first().waitFor();
}

story(
  'a field of an item is checked when it is left, and nothing is saved',
  async ({ page }) => {
    await register(page);
    await page.goto('/items/new');
    await page.getByLabel('Name').fill('x'.repeat(121));
    await page.keyboard.press('Tab');
    await page.locator('#name-error').waitFor();
    await hears(page, 'Name must be 120 characters or less');
    await page.getByLabel('Name').fill('Ladder');
    await page.keyboard.press('Tab');
    await page.locator('#name-error').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).pathname, '/items/new');
  },
  { needsScripts: true },
);
