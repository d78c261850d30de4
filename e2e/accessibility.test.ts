import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { findViolations, VIEWS } from './axe.ts';
import { fillAccount, logInElsewhere, register, send, showsHeading, story } from './browser.ts';

story('axe finds nothing on any page, and the browser has no complaint', async ({ page }) => {
  const { check, complaints, findings } = watch(page);

  await page.goto('/register');
  await check('register', 'Create the first account');
  await fillAccount(page, { username: 'x' });
  await send(page, 'Create account');
  await check('register with errors', 'There is a problem');
  await register(page);
  await check('list', 'Items 6 items');
  await page.goto('/people');
  await send(page, 'Invite');
  await check('people with errors', 'There is a problem');
  await page.getByLabel('Name').fill('Grace Hopper');
  await send(page, 'Invite');
  await page.getByRole('status').waitFor();
  await check('people with a link', 'People');
  await page.goto('/people/1');
  await check('a person', 'ada');
  await page.goto('/account');
  await check('account', 'Your account');
  await page.goto('/account/password');
  await page.getByLabel('Current password').fill('wrong');
  await page.getByLabel('New password', { exact: true }).fill('password');
  await page.getByLabel('New password again').fill('password');
  await send(page, 'Save password');
  await check('a new password with errors', 'There is a problem');
  await page.goto('/items/2');
  await check('item', 'Cordless drill No. 2');
  await page.goto('/items/new');
  await page.getByLabel('Name').fill('Drill');
  await send(page, 'Save item');
  await page.getByRole('status').waitFor();
  await check('item with a message', 'Drill No. 7');
  for (const query of ['', '?location=office&tag=TOOLS']) {
    await page.goto(`/items/filters${query}`);
    await check(`filters${query}`, 'Filter by location or tag');
  }
  for (const query of ['?q=drill&tag=tools&sort=-name', '?q=xylophone', '?sort=changed']) {
    await page.goto(`/items${query}`);
    await page.getByText('Filters and order').click();
    await check(`list${query}`, query === '?sort=changed' ? 'Items 7 items' : 'Items');
  }
  await page.goto('/items/import');
  await send(page, 'Read the file');
  await check('import with errors', 'There is a problem');
  const buffer = Buffer.from('number,name,quantity\n2,Drill,many\n3,Cable,1\n,Rope,1\n');
  const file = page.getByLabel('File', { exact: true });
  await file.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
  await send(page, 'Read the file');
  await check('preview of an import', 'What a.csv changes');
  await page.getByRole('link', { name: 'Change columns' }).click();
  await check('columns of an import', 'What the columns of a.csv are');
  await send(page, 'Discard');
  await check('import', 'Import items');
  await page.getByRole('link', { name: 'a.csv' }).click();
  await check('stopped import', 'a.csv was not imported');
  await page.goto('/items/99');
  await check('missing item', 'Item not found');
  await page.goto('/items/new');
  await check('new form', 'Add an item');
  await page.getByLabel('Tags').fill('long '.repeat(9));
  await page.getByLabel('Quantity').fill('three');
  await send(page, 'Save item');
  await check('form with errors', 'There is a problem');
  await page.context().clearCookies();
  await send(page, 'Save item');
  await check('form without a session', 'Log in to continue');
  await page.goto('/help');
  await check('help', 'Help');
  await page.goto('/login?next=/items/new');
  await check('log in', 'Log in');
  await fillAccount(page, { password: 'wrong' });
  await send(page, 'Log in');
  await check('log in failed', 'There is a problem');
  await page.goto('/register');
  await check('closed registration', 'You cannot register here');
  await page.goto('/register?token=made-up');
  await check('broken invitation', 'You cannot register here');
  await page.goto('/password/new?token=made-up');
  await check('broken link for a new password', 'This link does not work');

  assert.deepEqual(complaints, []);
  assert.deepEqual(findings, []);
});

story('axe finds nothing on the pages to change an item', async ({ page, openBrowser }) => {
  const { check, complaints, findings } = watch(page);
  await register(page);
  await page.goto('/items/2/edit');
  await check('edit', 'Edit Cordless drill');
  await page.getByLabel('Name').fill('');
  await send(page, 'Save changes');
  await check('edit with errors', 'There is a problem');
  const other = await logInElsewhere(openBrowser);
  await other.goto('/items/2');
  await send(other, 'Take one');
  await other.goto('/items/2/edit');
  await other.getByLabel('Name').fill('Hammer drill');
  await send(other, 'Save changes');
  await other.getByRole('status').waitFor();
  await page.getByLabel('Name').fill('Drill');
  await send(page, 'Save changes');
  await check('conflict', 'Hammer drill was changed meanwhile');
  await page.goto('/items/2');
  await page.getByText('Change the quantity').click();
  await check('item with a history', 'Hammer drill No. 2');
  await page.getByLabel('Amount').fill('many');
  await send(page, 'Take');
  await check('quantity with errors', 'There is a problem');
  await page.goto('/items/3/lend');
  await check('lend', 'Lend HDMI cable, 3 m');
  await send(page, 'Lend');
  await check('lend with errors', 'There is a problem');
  for (const name of ['Bo', 'Cy']) {
    await page.goto('/items/3/lend');
    await page.locator('#quantity').fill('3');
    await page.getByLabel('Who has it').fill(name);
    await send(page, 'Lend');
  }
  await check('an item that two people have', 'HDMI cable, 3 m No. 3');
  await page.goto('/items');
  await check('a list with a lent item', 'Items 6 items');
  await page.goto('/items/count');
  await check('count', 'Count items');
  await page.getByLabel('Counted Hammer drill').fill('many');
  await send(page, 'Save');
  await check('count with errors', 'There is a problem');
  await page.getByLabel('Counted Hammer drill').fill('17');
  await send(page, 'Save');
  await showsHeading(page, 'What differs');
  await other.goto('/items/2');
  await send(other, 'Add one');
  await send(page, 'Store these');
  await check('count of what was changed meanwhile', 'What differs');
  await page.getByRole('radio', { name: 'The stored one' }).check();
  await send(page, 'Store these');
  await page.goto('/items/counts');
  await check('counts', 'Counts');
  await page.getByRole('link', { name: 'all items' }).click();
  await check('a count', 'Count of all items');
  await page.goto('/items/lend?things=1_99.2.4.999&held=');
  await check('lending several things', 'Lend things');
  await send(page, 'Lend');
  await check('lending several things with errors', 'There is a problem');
  await page.goto('/items/return?things=1.2.3.4.5.6&held=');
  await check('returning several things', 'Return things');
  await page.goto('/items/2/history');
  await check('history of an item', 'History of Hammer drill No. 2');
  await page.getByRole('link', { name: 'Remove old values…' }).first().click();
  await check('removing an old value', 'Remove an old value for ever?');
  await page.goto('/items/2');
  await page.getByRole('button', { name: 'More actions' }).click();
  await check('menu of an item', 'Hammer drill No. 2');
  await send(page, 'Delete');
  await page.getByRole('status').waitFor();
  await check('list with Undo', 'Items 5 items');
  await page.goto('/items/2');
  await check('deleted item', 'Hammer drill was deleted');
  await page.getByRole('link', { name: 'Remove it for ever…' }).click();
  await check('removing an item', 'Remove Hammer drill for ever?');
  await page.goto('/items/history');
  await check('history', 'History');
  await page.goto('/items/bin');
  await check('bin', 'Bin');
  for (const [path, heading] of [
    ['/items/held', 'Who has what 1 item'],
    ['/items/select', 'Select items'],
    ['/places', 'Places'],
    ['/places/new', 'Add places'],
    ['/places/at?location=Meeting+room%2C+cabinet', 'cabinet Place 6'],
    ['/items/rename?what=tag&name=furniture', 'Rename the tag “furniture”'],
    ['/items/tags', 'Tags'],
    ['/items/print', 'Items 5 items'],
    ['/account/list', 'Columns of the list'],
    ['/account', 'Your account'],
    ['/account/devices', 'Devices'],
    ['/account/profile', 'Change name'],
    ['/login/again', 'Log in again'],
    ['/nothing-here', 'Page not found'],
  ] as const) {
    await page.goto(path);
    await check(path, heading);
  }
  assert.deepEqual(complaints, []);
  assert.deepEqual(findings, []);
});

story(
  'axe finds nothing on the pages of a reader, and of a link for a new password',
  async ({ page, openBrowser }) => {
    const ofAda = watch(page);
    await register(page);
    const reader = await (await openBrowser()).newPage();
    const ofReader = watch(reader);
    await reader.goto('/register');
    await fillAccount(reader, { username: 'grace' });
    await send(reader, 'Create account');
    await page.goto('/people/2');
    await page.getByLabel('Role').selectOption({ value: 'reader' });
    await send(page, 'Save the role');
    await ofAda.check('the page of a reader', 'grace');
    for (const [path, heading] of [
      ['/people', 'People'],
      ['/items/new', 'You can’t change items'],
      ['/items', 'Items 6 items'],
    ] as const) {
      await reader.goto(path);
      await ofReader.check(`${path} of a reader`, heading);
    }
    await send(page, 'Make a link for a new password');
    const link = await page.getByRole('status').locator('code').textContent();
    await reader.goto(link ?? '');
    await ofReader.check('new password', 'Choose a new password');
    assert.deepEqual([...ofAda.findings, ...ofReader.findings], []);
  },
  { environment: { REGISTRATION: 'open' } },
);

story(
  'axe finds nothing on an empty list either',
  async ({ page }) => {
    const { check, complaints, findings } = watch(page);
    await page.goto('/items');
    await check('empty list', 'Items 0 items');
    await page.goto('/items/1');
    await check('missing item, no items', 'Item not found');
    assert.deepEqual(complaints, []);
    assert.deepEqual(findings, []);
  },
  { environment: { SAMPLE_ITEMS: '0' } },
);

/** Those of every story, and forced colours, where only contrast may differ. */
const ALL_VIEWS = [
  ...VIEWS.map((view) => ({ ...view, forcedColors: 'none' as const, rules: undefined })),
  { ...VIEWS[0], forcedColors: 'active' as const, rules: ['color-contrast'] },
];

/** The names and classes of all elements. */
const FIND_KINDS = `[...document.querySelectorAll('body *')].map(
  ({ localName, className }) => localName + '.' + className,
)`;

/**
 * Collects what axe finds on each page that is checked, and what the browser complains about. A page with a kind of
 * element that no earlier page had is checked in all views, another one in one view, in turn: the style sheet gives
 * elements of one kind the same colours and sizes everywhere.
 */
function watch(page: Page) {
  const complaints = collectComplaints(page);
  const findings: string[] = [];
  const known = new Set<string>();
  let turn = 0;
  const check = async (name: string, heading: string) => {
    await showsHeading(page, heading);
    const kinds = await page.evaluate<readonly string[]>(FIND_KINDS);
    const isKnown = kinds.every((kind) => known.has(kind));
    for (const kind of kinds) known.add(kind);
    const views = isKnown ? [ALL_VIEWS[turn++ % ALL_VIEWS.length] ?? assert.fail()] : ALL_VIEWS;
    for (const { colorScheme, forcedColors, width, rules } of views) {
      await page.emulateMedia({ colorScheme, forcedColors });
      await page.setViewportSize({ width, height: 800 });
      for (const violation of await findViolations(page, rules))
        findings.push(`${name}, ${colorScheme}, ${width} px, ${forcedColors}: ${violation}`);
    }
  };
  return { check, complaints, findings };
}

/** Errors and warnings in the console, such as those of the page policy, and scripts that failed. */
function collectComplaints(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const { url } = message.location();
    // The browser notes the status of a page that is meant to have it, and asks for an icon unasked.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded');
    if (isStatus && (url === page.url() || url.endsWith('/favicon.ico'))) return;
    complaints.push(`${page.url()}: ${message.text()} (${url})`);
  });
  return complaints;
}
