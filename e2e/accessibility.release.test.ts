import assert from 'node:assert/strict';
import { fillAccount, logInElsewhere, register, send, showsHeading, story } from './browser.ts';
import { watchAccessibility } from './watch-accessibility.ts';

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
