import assert from 'node:assert/strict';
import {
  createMemoryStores,
  createSite,
  defineForm,
  formPage,
  formTitle,
  html,
  loadFiles,
  localPath,
  page as toPage,
} from 'seeother';
import { dateField, decimalField, moneyField, rows, textField } from 'seeother/fields';
import { createLanguage, english, german } from 'seeother/languages';
import { findViolations } from './axe.ts';
import { send, story } from './browser.ts';
import type { Site } from './open-site.ts';
import { STYLES, serveSite } from './serve-site.ts';

const bookingForm = defineForm({
  name: textField({ label: 'Your name', required: 'Enter your name', maxLength: 80 }),
  arrival: dateField({ label: 'Arrival', required: 'Enter a date', as: 'parts' }),
  area: decimalField({
    label: 'Area',
    min: 0,
    max: 9_999,
    step: '0.01',
    required: 'Enter an area',
  }),
  budget: moneyField({ label: 'Budget', currency: 'EUR', required: 'Enter a budget' }),
  guests: rows({
    label: 'Guests',
    name: 'Guest',
    max: 3,
    fields: {
      name: textField({ label: 'Name of the guest', required: 'Enter a name', maxLength: 80 }),
    },
  }),
});

const ours = createLanguage({
  ...german,
  texts: {
    Booking: 'Buchung',
    'Your name': 'Ihr Name',
    'Enter your name': 'Geben Sie Ihren Namen ein',
    Arrival: 'Anreise',
    'Enter a date': 'Geben Sie ein Datum ein',
    Area: 'Fläche',
    'Enter an area': 'Geben Sie eine Fläche ein',
    Budget: 'Budget',
    'Enter a budget': 'Geben Sie ein Budget ein',
    Guests: 'Gäste',
    Guest: 'Gast',
    'Name of the guest': 'Name des Gastes',
    'Enter a name': 'Geben Sie einen Namen ein',
    Book: 'Buchen',
  },
});
/** Right to left, with the texts of English: what it looks like does not depend on them. */
const arabic = createLanguage({ ...english, code: 'ar' });

async function openBookings(): Promise<Site> {
  const bookings: string[] = [];
  const site = createSite(createMemoryStores(), {
    log: false,
    languages: [english, ours, arabic],
    files: await loadFiles(STYLES),
  }).get('/bookings', () =>
    toPage(html`<!doctype html><title>x</title><p>${bookings.join('; ')}</p>`),
  );
  formPage(site, '/', bookingForm, {
    button: 'Book',
    show: ({ form, formHtml, language }) => html`<!doctype html>
<html lang="${language.code}" dir="${language.direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${formTitle(language.translate('Booking'), form)}</title>
<link rel="stylesheet" href="/styles.css"></head>
<body><main><h1>${language.translate('Booking')}</h1>${formHtml}</main></body></html>`,
    send({ values }) {
      const { arrival, area, budget, guests } = values;
      bookings.push([arrival, area, budget.amount, guests.map(({ name }) => name)].join(' '));
      return localPath('/bookings');
    },
  });
  return serveSite(site);
}

story(
  'a form in German is refused, corrected and sent, with numbers and dates as they are written there',
  async ({ page }) => {
    await page.goto('/');
    assert.equal(await page.title(), 'Buchung');
    await page.getByLabel('Tag').fill('23');
    await page.getByLabel('Monat').fill('11');
    await page.getByLabel('Jahr').fill('2026');
    await page.getByLabel('Fläche').fill('1.234,5');
    await page.getByLabel('Budget').fill('1,999');
    assert.equal(await send(page, 'Weitere hinzufügen (Gast)'), 200);
    assert.equal(await send(page, 'Buchen'), 400);
    assert.equal(await page.title(), 'Fehler: Buchung');
    const summary = page.getByRole('alert');
    await summary.getByRole('heading', { name: 'Es gibt ein Problem' }).waitFor();
    assert.deepEqual(await summary.getByRole('link').allTextContents(), [
      'Geben Sie Ihren Namen ein',
      '„Budget“ muss ein Betrag sein, zum Beispiel 12,50',
      'Gast 1: Geben Sie einen Namen ein',
      'Gast 2: Geben Sie einen Namen ein',
    ]);

    assert.equal(await page.getByLabel('Fläche').inputValue(), '1.234,5');
    await page.getByLabel('Ihr Name').fill('Ada');
    await page.getByLabel('Budget').fill('1.999 €');
    assert.equal(await send(page, 'Entfernen (Gast 2)'), 200);
    await page.getByLabel('Name des Gastes').fill('Bo');
    assert.equal(await send(page, 'Buchen'), 303);
    await page.getByText('2026-11-23 1234.50 199900 Bo').waitFor();
  },
  { open: openBookings, locale: 'de-AT', javaScriptEnabled: false },
);

story(
  'a page that is written from right to left begins on the right, and fits a phone',
  async ({ page }) => {
    await page.goto('/');
    await send(page, 'Book');
    assert.deepEqual(await findViolations(page), []);
    const button = await page.getByRole('button', { name: 'Book' }).boundingBox();
    const input = await page.getByLabel('Your name').boundingBox();
    const endOf = (box: typeof button) => Math.round((box?.x ?? 0) + (box?.width ?? 0));
    assert.equal(endOf(button), endOf(input));
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
  },
  { open: openBookings, locale: 'ar-EG', viewport: { width: 320, height: 640 } },
);
