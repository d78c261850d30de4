import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { findViolations, VIEWS } from './axe.ts';
import { showsHeading, story } from './browser.ts';
import { type BookingsSite, openBookings } from './open-bookings.ts';
import { STYLES } from './serve-site.ts';

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
  await showsHeading(page, 'Extras');
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
      '€50.00',
      'Change Deposit',
      'Not answered',
      'Change Photo',
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
    await showsHeading(page, 'Extras');
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

story(
  'an overview leads to what is missing, a file is opened, and the address is of no use in another browser',
  async ({ page, site, openBrowser }) => {
    const { bookings } = site as BookingsSite;
    const path = join(STYLES, 'styles.css');
    await page.route('**/styles.css', (route) => route.fulfill({ contentType: 'text/css', path }));
    await answerContact(page, 'Ada');
    const address = page.url();
    const overview = page.getByRole('navigation', { name: 'All steps' });
    await overview.getByRole('link', { name: 'Extras' }).click();
    await showsHeading(page, 'Extras');
    await page.getByLabel('Deposit').fill('12.5');
    const photo = { name: 'room.png', mimeType: 'image/png', buffer: Buffer.from('pixels') };
    await page.getByLabel('Photo').setInputFiles(photo);
    await press(page, 'Continue');
    await showsHeading(page, 'Room');
    assert.deepEqual(await overview.getByRole('listitem').allTextContents(), [
      'Your details Completed',
      'Room To do',
      'Meals Cannot start yet',
      'Extras Completed',
      'Check your answers Cannot start yet',
    ]);
    await page.getByLabel('Room').fill('loft');
    await press(page, 'Continue');
    await showsHeading(page, 'Extras');
    await overview.getByRole('link', { name: 'Check your answers' }).click();
    await showsHeading(page, 'Check your answers');
    await page.getByText('€12.50').waitFor();
    const link = page.getByRole('link', { name: 'room.png, 6 bytes' });
    const file = await page.request.get((await link.getAttribute('href')) ?? '');
    assert.equal((await file.body()).toString(), 'pixels');

    for (const path of [address, file.url()]) {
      const stranger = await (await openBrowser()).newPage();
      assert.equal((await stranger.goto(path))?.status(), 404);
    }
    for (const { colorScheme, width } of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await findViolations(page), []);
    }
    await press(page, 'Book');
    await page.getByText('Booked for Ada.').waitFor();
    assert.deepEqual(await bookings(), ['Ada: loft, no breakfast']);
  },
  { open: openBookings },
);
