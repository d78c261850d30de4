/** Stories of own fields: told once at 320 pixels, and in more browsers by things.release.test.ts. */
import assert from 'node:assert/strict';
import { openDatabase } from '../application/database/open-database.ts';
import { addItemKind, addOwnField } from '../application/own-fields/write-definitions.ts';
import { createTestDatabase } from '../application/testing/create-test-database.ts';
import { startInProcess } from '../application/testing/start-in-process.ts';
import {
  fillAccount,
  logInElsewhere,
  logOut,
  register,
  type Story,
  send,
  showsHeading,
} from './browser.ts';
import type { Site } from './open-site.ts';

/** A team that has defined a kind of things with four fields. */
export async function openTeam(): Promise<Site> {
  const { url, drop } = await createTestDatabase();
  const database = await openDatabase(url);
  await database.write(async (one) => {
    const itemKind = await addItemKind(one, { name: 'Power tool', icon: 'tool', minimum: 2 });
    await addOwnField(one, { kind: 'number', label: 'Voltage', unit: 'V', itemKind });
    await addOwnField(one, { kind: 'date', label: 'Checked on', required: true, itemKind });
    const choices = ['Good', 'Needs repair'].map((label, at) => ({ id: `c${at}`, label }));
    await addOwnField(one, { kind: 'choices', label: 'Condition', choices, itemKind });
    await addOwnField(one, { kind: 'money', label: 'Price', unit: 'EUR' });
  });
  await database.close();
  const site = await startInProcess({ DATABASE_URL: url, SAMPLE_ITEMS: '0' });
  return { ...site, stop: () => site.stop().then(drop) };
}

export async function tellFields({ page }: Story): Promise<void> {
  await register(page);
  await page.goto('/items');
  await page.goto('/fields');
  await page.getByRole('link', { name: 'Add kind' }).click();
  await page.getByLabel('Name').fill('Camera');
  await page.getByLabel('Icon').selectOption('Camera');
  assert.equal(await send(page, 'Add kind'), 303);
  await page.getByRole('link', { name: 'Add field' }).click();
  await page.getByLabel('Name', { exact: true }).first().fill('State');
  await page.getByLabel('Choice', { exact: true }).check();
  const choices = page.getByRole('textbox', { name: 'Name' });
  await choices.nth(1).fill('Good');
  await choices.nth(2).fill('Broken');
  await page.getByLabel('For', { exact: true }).selectOption('All things');
  await page.getByLabel('Shown in the list').check();
  assert.equal(await send(page, 'Add field'), 303);
  await page.getByText('The field “State” was added.').waitFor();

  for (const [name, state] of [
    ['Lens', 'Good'],
    ['Tripod', 'Broken'],
  ] as const) {
    await page.goto('/items/new');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('State').selectOption(state);
    assert.equal(await send(page, 'Save item'), 303);
  }
  await page.goto('/items');
  await page.getByText('Filters and order').click();
  await page.getByLabel('State', { exact: true }).selectOption('Broken');
  await page.getByRole('button', { name: 'Apply' }).click();
  const names = page.getByRole('table').getByRole('rowheader');
  assert.deepEqual(await names.allTextContents(), ['Tripod']);
  await page.getByRole('link', { name: 'Remove State: Broken' }).click();
  await page.getByRole('rowheader', { name: 'Lens' }).waitFor();

  // Renamed, merged, removed, and undone.
  await page.goto('/fields/1/choices');
  await page.getByLabel('Merge').selectOption('Broken');
  await page.getByLabel('Into').selectOption('Good');
  assert.equal(await send(page, 'Merge'), 303);
  await page.getByText('“Broken” was merged into “Good” on 1 thing.').waitFor();
  assert.equal(await send(page, 'Undo'), 303);
  await page.goto('/items?own_1=c2');
  assert.deepEqual(await names.allTextContents(), ['Tripod']);
  await page.goto('/fields/1');
  assert.equal(await send(page, 'Remove field'), 303);
  await page.getByText('The field “State” was removed.').waitFor();
  assert.equal(await send(page, 'Undo'), 303);
  await page.getByRole('link', { name: 'State' }).waitFor();
}

export async function tellOwnFields({ page, openBrowser }: Story): Promise<void> {
  await register(page);
  const other = await logInElsewhere(openBrowser);
  await page.goto('/items/new');
  await page.getByLabel('Name').fill('Drill');
  await page.getByLabel('Price').fill('129.90');
  await page.getByLabel('Kind').selectOption('Power tool');
  assert.equal(await send(page, 'Use this kind'), 200);
  assert.equal(await page.getByLabel('Minimum').inputValue(), '2');
  await page.getByLabel('Voltage').fill('lots');
  await page.getByLabel('Needs repair').check();
  assert.equal(await send(page, 'Save item'), 400);
  await page.getByRole('link', { name: 'Fill in “Checked on”' }).waitFor();
  // Firefox leads to a field of text, and not to one for a date.
  await page.getByRole('link', { name: 'Voltage (V) must be a number, like 12.5' }).click();
  // In Firefox, Playwright's windows are behind another one, where `:focus` is nothing.
  const focused = () => page.evaluate<string>('document.activeElement.name');
  for (let tries = 0; tries < 50 && (await focused()) !== 'own_1'; tries++)
    await page.waitForTimeout(100);
  assert.equal(await focused(), 'own_1');
  await page.getByLabel('Checked on').fill('2024-02-29');
  await page.getByLabel('Voltage').fill('230');
  // The session ends in another tab.
  const tab = await page.context().newPage();
  await tab.goto('/items');
  assert.equal(await logOut(tab), 303);
  assert.equal(await send(page, 'Save item'), 401);
  await fillAccount(page);
  assert.equal(await send(page, 'Log in'), 303);
  await page.getByText('not saved yet').waitFor();
  assert.equal(await page.getByLabel('Needs repair').isChecked(), true);
  assert.equal(await send(page, 'Save item'), 303);
  await showsHeading(page, 'Drill No. 1');
  for (const text of ['Power tool', '230 V', '29 Feb 2024', '€129.90', 'Needs repair'])
    await page.getByRole('definition').filter({ hasText: text }).waitFor();

  await page.goto('/items/1/edit');
  await other.goto('/items/1/edit');
  await other.getByLabel('Voltage').fill('110');
  assert.equal(await send(other, 'Save changes'), 303);
  await page.getByLabel('Voltage').fill('400');
  await page.getByLabel('Good').check();
  assert.equal(await send(page, 'Save changes'), 409);
  await page.getByLabel('Yours: 400 V').check();
  assert.equal(await send(page, 'Save changes'), 303);
  await page.getByRole('definition').filter({ hasText: '400 V' }).waitFor();
  await page.goto('/items/1/edit');
  const isWider = 'document.documentElement.scrollWidth > innerWidth';
  assert.equal(await page.evaluate<boolean>(isWider), false, 'the form is wider than the window');
  await page.goto('/items/1');
  const undo = page.getByRole('listitem').filter({ hasText: '400 V' });
  await undo.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('definition').filter({ hasText: '110 V' }).waitFor();
}
