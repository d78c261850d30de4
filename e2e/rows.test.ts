/** The rows of a form, without a script: the buttons that change them lose nothing and count nothing. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
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
import { checkboxField, rows, textField } from 'seeother/fields';
import { send, story } from './browser.ts';
import type { Site } from './open-site.ts';
import { STYLES, serveSite, styledPage } from './serve-site.ts';

const teamForm = defineForm({
  team: textField({ label: 'Team', required: 'Enter a team', maxLength: 80 }),
  participants: rows({
    label: 'Participants',
    name: 'Participant',
    fields: {
      name: textField({ label: 'Name', required: 'Enter a name', maxLength: 80 }),
      vegan: checkboxField({ label: 'Vegan' }),
    },
    min: 1,
    max: 3,
    ordered: true,
  }),
});

const teams: FormValues<typeof teamForm.fields>[] = [];

async function openTeams(): Promise<Site> {
  teams.length = 0;
  const files = loadFiles(STYLES);
  const site = formPage(createSite(createMemoryStores(), { log: false, files }), '/', teamForm, {
    button: 'Register',
    show: ({ formHtml, form, flash }) =>
      styledPage(
        formTitle('Register a team', form),
        html`<h1>Register a team</h1><p role="status">${flash}</p>${formHtml}`,
      ),
    send({ values }) {
      teams.push(values);
      return { path: localPath('/'), message: 'The team was registered.' };
    },
  });
  return serveSite(site);
}

const row = (page: Page, number: number) =>
  page.getByRole('group', { name: `Participant ${number}` });
const nameIn = (page: Page, number: number) => row(page, number).getByLabel('Name');

story(
  'rows are added, moved and removed without a script, and Enter sends the form',
  async ({ page }) => {
    await page.goto('/');
    await nameIn(page, 1).fill('Ada');
    await row(page, 1).getByLabel('Vegan').check();
    // The team is missing: a change of the rows refuses nothing.
    assert.equal(await send(page, 'Add another participant'), 200);
    assert.equal(await page.getByRole('alert').count(), 0);
    assert.equal(await nameIn(page, 1).inputValue(), 'Ada');
    assert.equal(await row(page, 1).getByLabel('Vegan').isChecked(), true);
    assert.equal(await page.locator(':focus').getAttribute('name'), 'participants.1.name');
    await page.keyboard.type('Bob');
    await page.getByLabel('Team').fill('Chess');

    await page.reload();
    assert.equal(await row(page, 3).count(), 0, 'a refresh adds no second row');
    await page.keyboard.type('Bob');
    await send(page, 'Move up participant 2');
    assert.equal(await nameIn(page, 1).inputValue(), 'Bob');
    assert.equal(await nameIn(page, 2).inputValue(), 'Ada');
    await send(page, 'Add another participant');
    assert.equal(await page.getByText('Participants can be 3 at most.').count(), 1);
    assert.equal(await send(page, 'Register'), 400);
    await page.getByRole('link', { name: 'Participant 3: enter a name' }).click();
    assert.match(page.url(), /#participants\.2\.name$/);
    await send(page, 'Remove participant 3');
    await page.getByLabel('Team').fill('Chess');
    await nameIn(page, 2).press('Enter');
    await page.getByText('The team was registered.').waitFor();
    assert.deepEqual(teams, [
      {
        team: 'Chess',
        participants: [
          { name: 'Bob', vegan: false },
          { name: 'Ada', vegan: true },
        ],
      },
    ]);
  },
  { open: openTeams, javaScriptEnabled: false },
);
