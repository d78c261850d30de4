/** Fields of several inputs, without a script: what is wrong is marked and kept, and only what was chosen is shown. */
import assert from 'node:assert/strict';
import {
  createMemoryStores,
  createSite,
  defineForm,
  type FormValues,
  formPage,
  formTitle,
  html,
  loadFiles,
  localPath,
} from 'seeother';
import { choiceGroup, dateField, durationField, moneyField, textField } from 'seeother/fields';
import { story } from './browser.ts';
import type { Site } from './open-site.ts';
import { STYLES, serveSite, styledPage } from './serve-site.ts';

const courseForm = defineForm({
  born: dateField({ label: 'Date of birth', as: 'parts', required: 'Enter your date of birth' }),
  length: durationField({ label: 'Length' }),
  fee: moneyField({ label: 'Fee', currency: ['EUR', 'JPY'] }),
  delivery: choiceGroup({
    label: 'Certificate',
    required: 'Choose how to get it',
    choices: {
      collect: { label: 'I collect it' },
      post: {
        label: 'By post',
        fields: { city: textField({ label: 'City', required: 'Enter a city', maxLength: 80 }) },
      },
    },
  }),
});

const sent: FormValues<typeof courseForm.fields>[] = [];

async function openCourses(): Promise<Site> {
  sent.length = 0;
  const files = loadFiles(STYLES);
  const site = formPage(createSite(createMemoryStores(), { log: false, files }), '/', courseForm, {
    button: 'Register',
    show: ({ formHtml, form, flash }) =>
      styledPage(
        formTitle('Register', form),
        html`<h1>Register</h1><p role="status">${flash}</p>${formHtml}`,
      ),
    send({ values }) {
      sent.push(values);
      return { path: localPath('/'), message: 'You are registered.' };
    },
  });
  return serveSite(site);
}

story(
  'a date in parts is corrected where it is wrong, and a choice reveals its field',
  async ({ page }) => {
    await page.goto('/');
    await page.getByLabel('Month').fill('Mar');
    await page.getByLabel('Day').fill('7');
    await page.getByLabel('Year').fill('98');
    await page.getByLabel('Hours').fill('1');
    await page.getByLabel('Minutes').fill('30');
    await page.getByLabel('Currency').selectOption('JPY');
    assert.equal(await page.getByLabel('City').isVisible(), false);
    await page.getByLabel('By post').check();
    assert.equal(await page.getByLabel('City').isVisible(), true);
    await page.getByRole('button', { name: 'Register' }).click();

    await page.getByRole('alert').waitFor();
    assert.equal(await page.getByLabel('City').isVisible(), true);
    await page.getByRole('link', { name: 'Date of birth must have a year of 4 digits' }).click();
    const year = page.locator('input:focus');
    assert.equal(await year.getAttribute('name'), 'born.year');
    assert.equal(await page.getByLabel('Month').inputValue(), 'Mar');
    assert.equal(await page.getByLabel('Currency').inputValue(), 'JPY');
    await year.fill('1998');
    await page.getByLabel('I collect it').check();
    assert.equal(await page.getByLabel('City').isVisible(), false);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('You are registered.').waitFor();
    assert.deepEqual(sent, [
      { born: '1998-03-07', length: 5_400, fee: null, delivery: { choice: 'collect' } },
    ]);
  },
  { open: openCourses, javaScriptEnabled: false },
);
