import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { showsHeading, story } from './browser.ts';
import { type BookingsSite, openBookings } from './open-bookings.ts';

const press = (page: Page, button: string) => page.getByRole('button', { name: button }).click();
const options = { open: openBookings, javaScriptEnabled: false };

async function answerContact(page: Page, name: string): Promise<void> {
  await page.goto('/book');
  await page.getByLabel('Your name').fill(name);
  await press(page, 'Continue');
  await showsHeading(page, 'Room');
}

async function answerRoom(page: Page, room: string): Promise<void> {
  await page.getByLabel('Room').fill(room);
  await press(page, 'Continue');
  await showsHeading(page, 'Check your answers');
}

story(
  'a form in steps keeps its answers on Back, on a refresh and in each tab, and is sent once',
  async ({ page, site }) => {
    const { bookings } = site as BookingsSite;
    await answerContact(page, 'Ada');
    const other = await page.context().newPage();
    await answerContact(other, 'Bob');
    await answerRoom(page, 'loft');

    await page.goBack({ waitUntil: 'commit' });
    await showsHeading(page, 'Room');
    assert.equal(await page.getByLabel('Room').inputValue(), 'loft');
    await page.reload();
    assert.equal(await page.getByLabel('Room').inputValue(), 'loft');
    await press(page, 'Back');
    await showsHeading(page, 'Your details');
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Ada');
    await page.getByLabel('Your name').fill('Adam');
    await press(page, 'Continue');
    await showsHeading(page, 'Room');
    await answerRoom(page, 'loft');
    assert.deepEqual(await page.getByRole('definition').allTextContents(), [
      'Adam',
      'Change Your name',
      'loft',
      'Change Room',
      'No',
      'Change Breakfast',
    ]);

    await page.getByRole('link', { name: 'Change Breakfast' }).click();
    await page.getByLabel('Breakfast').check();
    await press(page, 'Continue');
    await showsHeading(page, 'Meals');
    await page.getByLabel('Breakfast in the loft').fill('eggs');
    await press(page, 'Continue');
    await showsHeading(page, 'Check your answers');
    await page.reload();
    await press(page, 'Book');
    await page.getByText('Booked for Adam.').waitFor();
    await page.goBack({ waitUntil: 'commit' });
    await press(page, 'Book');
    await showsHeading(page, 'Home');

    await answerRoom(other, 'barn');
    await press(other, 'Book');
    await other.getByText('Booked for Bob.').waitFor();
    assert.deepEqual(await bookings(), ['Adam: loft, eggs', 'Bob: barn, no breakfast']);
  },
  { ...options, goesBack: true },
);

story(
  'a form in steps goes on after a restart, a log-in in the middle, and the end of the session',
  async ({ page, site, openBrowser }) => {
    const { bookings, restart } = site as BookingsSite;
    await answerContact(page, 'Ada');
    const address = page.url();
    await restart();
    await page.goto('/login');
    await press(page, 'Log in');
    await page.goto(address);
    await page.getByLabel('Room').fill('loft');
    await page.getByLabel('Breakfast').check();
    await press(page, 'Continue');
    await page.getByLabel('Breakfast in the loft').fill('eggs');

    const other = await page.context().newPage();
    await other.goto('/');
    await press(other, 'Log out');
    await showsHeading(other, 'Log in');
    await press(page, 'Continue');
    await showsHeading(page, 'Log in');
    await press(page, 'Log in');
    await showsHeading(page, 'Meals');
    assert.equal(await page.getByLabel('Breakfast in the loft').inputValue(), 'eggs');
    await press(page, 'Continue');
    await showsHeading(page, 'Check your answers');

    const stranger = await (await openBrowser()).newPage();
    assert.equal((await stranger.goto(address))?.status(), 401);
    await press(page, 'Book');
    await page.getByText('Booked for Ada.').waitFor();
    assert.deepEqual(await bookings(), ['Ada: loft, eggs']);
  },
  options,
);
