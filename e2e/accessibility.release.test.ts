import assert from 'node:assert/strict';
import { createHomeboxExport } from '../application/testing/exports/homebox.ts';
import { PHOTOS } from '../application/testing/photos.ts';
import { fillAccount, logInElsewhere, register, send, showsHeading, story } from './browser.ts';
import { openTeam } from './tell-fields.ts';
import { watchAccessibility } from './watch-accessibility.ts';

story(
  'axe finds nothing on the pages of a log-in, a list, an item and an import',
  async ({ page }) => {
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
  },
);

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

story('axe finds nothing on the pages to change an item', async ({ page, openBrowser }) => {
  const { check, complaints, findings } = watchAccessibility(page);
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
    ['/places/6/picture', 'Picture of “Meeting room, cabinet”'],
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
    const ofAda = watchAccessibility(page);
    await register(page);
    const reader = await (await openBrowser()).newPage();
    const ofReader = watchAccessibility(reader);
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
  'axe finds nothing on the pages of photos, fields, places, labels, scans and exports',
  async ({ page }) => {
    const { check, complaints, findings } = watchAccessibility(page);
    await register(page);
    await page.goto('/items/new');
    await page.getByLabel('Kind').selectOption('Power tool');
    await send(page, 'Use this kind');
    await page.getByLabel('Name', { exact: true }).fill('Drill');
    await page.getByLabel('Location').fill('Shed, shelf 2');
    await page.getByLabel('Voltage').fill('lots');
    const photo = { mimeType: 'image/jpeg', buffer: Buffer.from(PHOTOS.jpeg) };
    const manual = { name: 'manual.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') };
    await page
      .getByLabel('Photos and documents')
      .setInputFiles([{ name: 'a.jpg', ...photo }, { name: 'b.jpg', ...photo }, manual]);
    await send(page, 'Save item');
    await check('own fields and photos with errors', 'There is a problem');
    await page.getByLabel('Voltage').fill('230');
    await page.getByLabel('Checked on').fill('2024-02-29');
    await page.getByLabel('Price').fill('129.90');
    await send(page, 'Save item');
    await check('item with photos', 'Drill No. 1');
    for (let tries = 0; tries < 200 && (await page.locator('.files img').count()) < 2; tries++) {
      await page.waitForTimeout(100);
      await page.reload();
    }
    await check('item with pictures', 'Drill No. 1');
    await page.goto('/places/new');
    await send(page, 'Add places');
    await check('places with errors', 'There is a problem');
    await page.getByLabel('Places').fill('Shelf 1\nShelf 10, box 1');
    await page.getByLabel('Inside').fill('Shed');
    await send(page, 'Add places');
    await check('places that were added', 'Places');
    await page.goto('/fields/new');
    await page.getByLabel('Choice', { exact: true }).check();
    await send(page, 'Add field');
    await check('field with errors', 'There is a problem');
    await page.goto('/items/labels?q=drill');
    await page.getByLabel('Another one, with its measures in millimetres').check();
    await send(page, 'Show labels');
    await check('labels with errors', 'There is a problem');
    await page.getByLabel('Avery L7160').check();
    await send(page, 'Show labels');
    await check('labels', 'Labels');
    await page.goto('/scan?mode=move&place=Attic');
    for (const code of ['#1', '4006381333931']) {
      await page.getByLabel('Code').fill(code);
      await page.keyboard.press('Enter');
      await page.waitForLoadState();
      await check(`scan of ${code}`, 'Move to Attic');
    }
    for (const [path, heading] of [
      ['/items', 'Items 1 item'],
      ['/items/filters', 'Filter by location or tag'],
      ['/items/select', 'Select items'],
      ['/items/1/edit', 'Edit Drill'],
      ['/items/1/files', 'Add photos or documents'],
      ['/items/1/files/1', 'Photo of Drill'],
      ['/items/1/files/3', 'manual.pdf'],
      ['/items/1/history', 'History of Drill No. 1'],
      ['/places/at?location=Shed', 'Shed Place 1'],
      ['/places/1/edit', 'Rename or move “Shed”'],
      ['/fields', 'Kinds and fields'],
      ['/fields/3', 'Field “Condition”'],
      ['/fields/3/choices', 'Merge choices of “Condition”'],
      ['/fields/3/merge', 'Merge the field “Condition”'],
      ['/fields/order', 'Order of kinds and fields'],
      ['/fields/kinds/new', 'Add a kind of things'],
      ['/fields/kinds/1', 'Kind “Power tool”'],
      ['/items/labels?places=1', 'Print labels 1 place'],
      ['/scan', 'Scan'],
      ['/scan?mode=count', 'Scan to count'],
      ['/scan?mode=lend', 'Scan to lend'],
    ] as const) {
      await page.goto(path);
      await check(path, heading);
    }
    const { name, file } = createHomeboxExport();
    await page.goto('/items/import');
    const chosen = { name, mimeType: 'text/csv', buffer: Buffer.from(file) };
    await page.getByLabel('File', { exact: true }).setInputFiles(chosen);
    await send(page, 'Read the file');
    await check('columns of an export', `What the columns of ${name} are`);
    await send(page, 'Show what it changes');
    await check('preview of an export', `What ${name} changes`);
    assert.deepEqual(complaints, []);
    assert.deepEqual(findings, []);
  },
  { open: openTeam },
);
