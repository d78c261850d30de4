import assert from 'node:assert/strict';
import { fillAccount, register, send, story } from './browser.ts';
import { watchAccessibility } from './watch-accessibility.ts';

story('axe finds nothing on any page, and the browser has no complaint', async ({ page }) => {
  const { check, complaints, findings } = watchAccessibility(page);

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

story(
  'axe finds nothing on an empty list either',
  async ({ page }) => {
    const { check, complaints, findings } = watchAccessibility(page);
    await page.goto('/items');
    await check('empty list', 'Items 0 items');
    await page.goto('/items/1');
    await check('missing item, no items', 'Item not found');
    assert.deepEqual(complaints, []);
    assert.deepEqual(findings, []);
  },
  { environment: { SAMPLE_ITEMS: '0' } },
);
