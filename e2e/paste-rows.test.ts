/** Rows that are filled from a spreadsheet: with scripts off, on a narrow screen, and with Back. */
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
import { checkboxField, rows, textField, wholeNumberField } from 'seeother/fields';
import { findViolations, VIEWS } from './axe.ts';
import { send, story } from './browser.ts';
import type { Site } from './open-site.ts';
import { STYLES, serveSite, styledPage } from './serve-site.ts';

const tripForm = defineForm({
  title: textField({ label: 'Title', required: 'Enter a title', maxLength: 80 }),
  people: rows({
    label: 'People',
    name: 'Person',
    fields: {
      name: textField({ label: 'Name', required: 'Enter a name', maxLength: 80 }),
      age: wholeNumberField({ label: 'Age', min: 0, max: 150, default: null }),
      vegan: checkboxField({ label: 'Vegan' }),
    },
    max: 3,
    paste: true,
  }),
});

interface TripSite extends Site {
  readonly trips: readonly FormValues<typeof tripForm.fields>[];
}

/** Each story has trips of its own: the stories of a file run at once. */
async function openTrips(): Promise<TripSite> {
  const trips: FormValues<typeof tripForm.fields>[] = [];
  const files = loadFiles(STYLES);
  const site = formPage(createSite(createMemoryStores(), { log: false, files }), '/', tripForm, {
    button: 'Save',
    show: ({ formHtml, form, flash }) =>
      styledPage(
        formTitle('Plan a trip', form),
        html`<h1>Plan a trip</h1><p role="status">${flash}</p>${formHtml}`,
      ),
    send({ values }) {
      trips.push(values);
      return { path: localPath('/'), message: 'The trip was saved.' };
    },
  });
  return { ...(await serveSite(site)), trips };
}

const CELLS = 'Vegan\tName\tAge\nx\tAda\t36\nno\tBob\told\n\t"Cid\nsenior"\t80\nx\tDan\t4\n';

story(
  'pasted cells become rows, wrong ones are shown, and what has no place stays',
  async ({ page, site }) => {
    const { trips } = site as TripSite;
    await page.goto('/');
    await page.getByLabel('Title').fill('Summer');
    await page.getByText('Fill in from a spreadsheet').click();
    await page.getByLabel('Paste cells from a spreadsheet').fill(CELLS);
    assert.equal(await send(page, 'Fill in the rows People'), 200);
    assert.match(
      await page.locator(':focus').innerText(),
      /3 rows were added\. 1 cell needs a look\./,
    );
    assert.equal(await page.getByLabel('Title').inputValue(), 'Summer');
    const cells = page.getByLabel('Paste cells from a spreadsheet');
    assert.equal(await cells.inputValue(), 'Vegan\tName\tAge\nx\tDan\t4\n');
    await page.reload();
    assert.equal(await page.getByRole('group', { name: 'Person 3' }).count(), 1);
    assert.equal(await page.getByRole('group', { name: 'Person 4' }).count(), 0);

    await page.getByRole('link', { name: 'Person 2: age must be a whole number' }).click();
    assert.match(page.url(), /#people\.1\.age$/);
    const second = page.getByRole('group', { name: 'Person 2' });
    assert.equal(await second.getByLabel('Age').inputValue(), 'old');
    await second.getByLabel('Age').fill('41');
    // The row that has no place would be lost.
    assert.equal(await send(page, 'Save'), 200);
    assert.deepEqual(trips, []);
    await cells.fill('');
    await send(page, 'Save');
    await page.getByText('The trip was saved.').waitFor();
    const people = [
      { name: 'Ada', age: 36, vegan: true },
      { name: 'Bob', age: 41, vegan: false },
      { name: 'Cid senior', age: 80, vegan: false },
    ];
    assert.deepEqual(trips, [{ title: 'Summer', people }]);
    // Back shows the sent page, and sending it again counts once.
    await page.goBack({ waitUntil: 'commit' });
    await page.getByText('The trip was saved.').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Title').inputValue(), 'Summer');
    await cells.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('group', { name: 'Person 2' }).waitFor({ state: 'detached' });
    assert.equal(trips.length, 1);
  },
  { open: openTrips, javaScriptEnabled: false, goesBack: true },
);

story(
  'a page of filled rows is accessible, also on a narrow screen',
  async ({ page }) => {
    for (const { colorScheme, width } of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/');
      await page.getByText('Fill in from a spreadsheet').click();
      assert.deepEqual(await findViolations(page), []);
      await page.getByLabel('Paste cells from a spreadsheet').fill(CELLS);
      await send(page, 'Fill in the rows People');
      assert.deepEqual(await findViolations(page), []);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      assert.ok(Number(wide) <= width, `${wide}`);
    }
  },
  { open: openTrips },
);
