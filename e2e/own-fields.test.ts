import assert from 'node:assert/strict';
import { openDatabase } from '../application/database/open-database.ts';
import { addItemKind, addOwnField } from '../application/own-fields/write-definitions.ts';
import { createTestDatabase } from '../application/testing/create-test-database.ts';
import { startInProcess } from '../application/testing/start-in-process.ts';
import { findViolations } from './axe.ts';
import {
  fillAccount,
  logInElsewhere,
  logOut,
  register,
  send,
  showsHeading,
  story,
} from './browser.ts';
import type { Site } from './open-site.ts';

/** A team that has defined a kind of things with four fields. */
async function openTeam(): Promise<Site> {
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

story(
  'a thing with own fields is added after a refusal and a log-in, changed by two people, and undone',
  async ({ page, openBrowser }) => {
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
    await page.getByRole('link', { name: 'Voltage (V) must be a number, like 12.5' }).waitFor();
    await page.getByRole('link', { name: 'Fill in “Checked on”' }).click();
    assert.equal(await page.locator(':focus').getAttribute('name'), 'own_2');
    assert.deepEqual(await findViolations(page), []);
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
    assert.deepEqual(await findViolations(page), []);

    await page.goto('/items/1/edit');
    await other.goto('/items/1/edit');
    await other.getByLabel('Voltage').fill('110');
    assert.equal(await send(other, 'Save changes'), 303);
    await page.getByLabel('Voltage').fill('400');
    await page.getByLabel('Good').check();
    assert.equal(await send(page, 'Save changes'), 409);
    assert.deepEqual(await findViolations(page), []);
    await page.getByLabel('Yours: 400 V').check();
    assert.equal(await send(page, 'Save changes'), 303);
    await page.getByRole('definition').filter({ hasText: '400 V' }).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    assert.deepEqual(await findViolations(page), []);
    await page.goto('/items/1/edit');
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(width <= 320, `the form is ${width} pixels wide`);
    await page.goto('/items/1');
    const undo = page.getByRole('listitem').filter({ hasText: '400 V' });
    await undo.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('definition').filter({ hasText: '110 V' }).waitFor();
  },
  { open: openTeam },
);
