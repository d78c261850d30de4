/** The story of places: told once in `npm test`, and in more browsers by things.release.test.ts. */
import assert from 'node:assert/strict';
import { PHOTOS } from '../application/testing/photos.ts';
import { register, type Story, send } from './browser.ts';

export async function tellPlaces({ page }: Story): Promise<void> {
  await register(page);
  await page.goto('/places');
  await page.getByRole('link', { name: 'Add places' }).click();
  await page.getByLabel('Places').fill('Shelf 1\nShelf 2\nShelf 10');
  await page.getByLabel('Inside').fill('Basement');
  assert.equal(await send(page, 'Add places'), 303);
  await page.getByText('3 places were added.').waitFor();

  await page.goto('/items/new');
  await page.getByLabel('Name').fill('Saw');
  await page.getByLabel('Location').fill('basement,shelf 2');
  assert.equal(await send(page, 'Save item'), 303);
  await page.getByRole('link', { name: 'basement,shelf 2' }).click();
  await page.getByRole('heading', { name: /^Shelf 2 Place \d+$/ }).waitFor();
  const shelf = new URL(page.url()).pathname;
  await page.getByRole('main').getByRole('link', { name: 'Basement', exact: true }).click();
  const names = page.getByRole('region', { name: 'Places inside' }).getByRole('link');
  assert.deepEqual(await names.allTextContents(), ['Shelf 1', 'Shelf 2', 'Shelf 10']);

  await page.getByRole('link', { name: 'Rename or move' }).click();
  await page.getByLabel('Name').fill('Vault');
  await page.getByLabel('Inside').fill('House');
  assert.equal(await send(page, 'Save'), 303);
  await page.getByText('Renamed the place “Basement” with 1 item to “House, Vault”.').waitFor();
  await page.goto('/items?location=basement%2C+shelf+2');
  await page.getByRole('link', { name: 'Saw' }).waitFor();
  assert.match(page.url(), /location=House%2C\+Vault%2C\+Shelf\+2$/);
  await page.goto(shelf.replace('/places/', '/p/'));
  await page.getByRole('link', { name: 'Saw' }).waitFor();
  assert.equal(new URL(page.url()).pathname, shelf);

  await page.goto('/items/history');
  assert.equal(await send(page, 'Undo all'), 303);
  await page.goto('/items/7');
  await page.getByRole('link', { name: 'basement,shelf 2' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Basement', exact: true }).waitFor();
  assert.equal(new URL(page.url()).pathname, shelf);

  await page.goto(shelf);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('link', { name: 'Add a picture' }).click();
  const buffer = Buffer.from(PHOTOS.jpeg);
  const photo = { name: 'shelf.jpg', mimeType: 'image/jpeg', buffer };
  await page.getByLabel('Photo').setInputFiles(photo);
  // The script of the page sends a file itself.
  assert.ok([303, 204].includes(await send(page, 'Save picture')));
  await page.getByText('The picture was saved.').waitFor();
  const picture = page.getByRole('img', { name: 'Basement, Shelf 2' });
  for (let tries = 0; tries < 200 && (await picture.count()) === 0; tries++) {
    await page.waitForTimeout(100);
    await page.reload();
  }
  assert.equal(await picture.count(), 1);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('link', { name: 'Change the picture' }).click();
  assert.equal(await send(page, 'Remove picture'), 303);
  await page.getByText('The picture was removed.').waitFor();
}
