/** The page of a list, without a script: it is filtered, sorted and ticked with the keyboard, on a phone too. */
import assert from 'node:assert/strict';
import {
  createMemoryStores,
  createSite,
  defineForm,
  defineList,
  formTitle,
  html,
  listPage,
  loadFiles,
  localPath,
} from 'seeother';
import { choiceField, textField, ticksField, wholeNumberField } from 'seeother/fields';
import { findViolations, VIEWS } from './axe.ts';
import { story } from './browser.ts';
import type { Site } from './open-site.ts';
import { STYLES, serveSite, styledPage } from './serve-site.ts';

interface Thing {
  readonly id: number;
  readonly name: string;
  readonly amount: number;
  readonly place: 'office' | 'cellar';
}

const places = [
  { value: 'office', label: 'Office' },
  { value: 'cellar', label: 'Cellar' },
] as const;

const thingList = defineList<Thing>()({
  key: 'id',
  columns: {
    name: {
      field: textField({ label: 'Name', maxLength: 80 }),
      sort: 'asc',
      link: ({ id }) => localPath(`/things/${id}`),
    },
    amount: {
      field: wholeNumberField({ label: 'Amount', min: 0, max: 999, default: 1 }),
      ...{ sort: 'desc', align: 'end' },
    },
    place: { field: choiceField({ label: 'Place', required: 'Choose', choices: places }) },
  },
  filter: defineForm({ at: choiceField({ label: 'Kept at', choices: places }) }),
});

async function openThings(): Promise<Site> {
  let things: readonly Thing[] = Array.from({ length: 12 }, (_, at) => ({
    ...{ id: at + 1, name: `A thing with a long name ${at + 1}`, amount: 100 - at },
    place: at % 3 === 0 ? 'cellar' : 'office',
  }));
  const site = createSite(createMemoryStores(), { log: false, files: loadFiles(STYLES) });
  listPage(site, '/', thingList, {
    size: 5,
    read: ({ filter: { at }, order: { by, direction }, limit, offset }) =>
      things
        .filter(({ place }) => at === '' || place === at)
        .toSorted((one, other) => (one[by] < other[by] ? -1 : 1) * (direction === 'asc' ? 1 : -1))
        .slice(offset, offset + limit),
    count: ({ filter: { at } }) => things.filter(({ place }) => at === '' || place === at).length,
    csv: 'things.csv',
    add: { label: 'Add a thing', path: localPath('/new') },
    ticks: {
      form: defineForm({
        ticked: ticksField({ label: 'Things', of: 'int', required: 'Tick something first' }),
      }),
      button: 'Delete what is ticked',
      send({ values: { ticked } }) {
        things = things.filter(({ id }) => !ticked.includes(id));
        return { path: localPath('/'), message: `${ticked.length} deleted.` };
      },
    },
    show: ({ listHtml, form, flash }) =>
      styledPage(
        formTitle('Things', form),
        html`<h1>Things</h1><p role="status">${flash}</p>${listHtml}`,
      ),
  });
  return serveSite(site);
}

story(
  'a list is filtered, sorted and ticked, and a refused form keeps its ticks',
  async ({ page }) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Amount' }).click();
    await page.getByLabel('Kept at').selectOption('cellar');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('4 entries').waitFor();
    assert.match(page.url(), /\?sort=-amount&at=cellar$/);
    await page.getByRole('button', { name: 'Delete what is ticked' }).click();
    await page.getByRole('link', { name: 'Tick something first' }).click();
    await page.locator('input:focus').check();
    await page.getByRole('button', { name: 'Delete what is ticked' }).dblclick();
    await page.getByText('1 deleted.').waitFor();
    await page.getByText('11 entries').waitFor();
    await page.getByRole('button', { name: 'Tick all on this page' }).click();
    assert.equal(await page.locator('input:checked').count(), 5);
  },
  { open: openThings, javaScriptEnabled: false },
);

story(
  'a list has no barrier, and fits on a phone',
  async ({ page }) => {
    for (const { colorScheme, width } of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/?at=office');
      assert.deepEqual(await findViolations(page), [], `${width}`);
      const scrolls = 'document.documentElement.scrollWidth > innerWidth';
      assert.equal(await page.evaluate<boolean>(scrolls), false, `${width}`);
    }
  },
  { open: openThings },
);
