/**
 * The booking form of the recipe, and the same in steps, as the document has them. Its pages have no scripts of their
 * own: the form is booked without scripts in Chromium, and with them in Firefox (booking-in-firefox.release.test.ts).
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations, VIEWS } from './axe.ts';
import { showsHeading, story } from './browser.ts';
import { openRecipe, type RecipeSite, readRecipe } from './open-recipe.ts';

const [whole = '', inSteps = ''] = readRecipe('booking');
const STYLES = readFileSync(
  new URL('../create/templates/shared/public/styles.css', import.meta.url),
  'utf8',
);
const PLAN = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('two rows of seats') };
const BOOKED = /^hall,2026-12-24,7500,[0-9a-f-]{36},Ada,Bob$/;

for (const [name, code, most] of [
  ['booking form', whole, 60],
  ['booking in steps', inSteps, 90],
] as const)
  test(`the ${name} has at most ${most} lines, 15 imported names and no type by hand`, () => {
    assert.ok(code.trimEnd().split('\n').length <= most);
    const names = [...code.matchAll(/import \{([^}]*)\}/g)].flatMap(([, list = '']) =>
      list.split(',').flatMap((one) => one.trim() || []),
    );
    assert.ok(names.length > 10 && names.length <= 15, names.join());
    assert.doesNotMatch(code, / as |<[A-Z]|interface/);
  });

async function style(page: Page): Promise<void> {
  await page.route('**/styles.css', (route) =>
    route.fulfill({ contentType: 'text/css', body: STYLES }),
  );
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const person = (page: Page, number: number) =>
  page.getByRole('group', { name: `Participant ${number}` });

story(
  'a room is booked: refused, corrected, with its file and a second participant',
  async ({ page, site }) => {
    await style(page);
    await page.goto('/book');
    await page.getByLabel('Hall').check();
    await page.getByLabel('Piano').check();
    await page.getByLabel('Purpose').selectOption('party');
    await page.getByLabel('Day').fill('2026-12-24');
    await page.getByLabel('Deposit').fill('75.00');
    await page.getByLabel('Plan of the seats').setInputFiles(PLAN);
    await person(page, 1).getByLabel('Name').fill('Ada');
    await press(page, 'Add another participant');
    await page.getByText('plan.txt, 17 bytes').waitFor();
    await press(page, 'Book');
    await page.getByRole('link', { name: 'Participant 2: enter a name' }).waitFor();
    await page.getByRole('link', { name: 'Enter your email address' }).click();
    assert.equal(await page.locator(':focus').getAttribute('name'), 'email');
    await page.getByLabel('Email').fill('ada@example.org');
    await person(page, 2).getByLabel('Name').fill('Bob');
    await person(page, 2).getByLabel('Name').press('Enter');
    await page.getByText('The room is booked.').waitFor();
    const { bookings } = site as RecipeSite;
    assert.equal(bookings.length, 1);
    assert.match(bookings[0] ?? '', BOOKED);

    await page.goto('/book');
    await press(page, 'Cancel');
    await page.getByText('Nothing was booked.').waitFor();
    assert.equal(bookings.length, 1);
  },
  { open: () => openRecipe(whole), javaScriptEnabled: false },
);

story(
  'the booking form is accessible at 1280 and 320 px, empty and refused',
  async ({ page }) => {
    await style(page);
    await page.goto('/book');
    await press(page, 'Add another participant');
    for (const state of ['empty', 'refused']) {
      if (state === 'refused') await press(page, 'Book');
      for (const { colorScheme, width } of [...VIEWS, { ...VIEWS[0], width: 1280 }]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        assert.deepEqual(await findViolations(page), [], state);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
      }
    }
  },
  { open: () => openRecipe(whole) },
);

for (const javaScriptEnabled of [true, false])
  story(
    `a room is booked in steps with scripts ${javaScriptEnabled ? 'on' : 'off'}`,
    async ({ page, site }) => {
      await style(page);
      await page.goto('/book');
      await page.getByLabel('Hall').check();
      await page.getByLabel('Purpose').selectOption('party');
      await page.getByLabel('Day').fill('2026-12-24');
      await press(page, 'Continue');
      await page.getByLabel('Plan of the seats').setInputFiles(PLAN);
      await press(page, 'Continue');
      await page.getByLabel('Email').fill('ada@example.org');
      await page.getByLabel('Deposit').fill('75.00');
      await person(page, 1).getByLabel('Name').fill('Ada');
      await press(page, 'Add another participant');
      await person(page, 2).getByLabel('Name').fill('Bob');
      await press(page, 'Continue');
      await showsHeading(page, 'Check your answers');
      await page.getByText('plan.txt').waitFor();
      await press(page, 'Book');
      await page.getByText('The room is booked.').waitFor();
      const { bookings } = site as RecipeSite;
      assert.equal(bookings.length, 1);
      assert.match(bookings[0] ?? '', BOOKED);
    },
    { open: () => openRecipe(inSteps), javaScriptEnabled },
  );
