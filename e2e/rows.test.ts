/** The rows of a form, without a script: the buttons that change them lose nothing and count nothing. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
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
import { serve } from 'seeother/node';
import { findViolations, VIEWS } from './axe.ts';
import { send, story } from './browser.ts';
import type { Site } from './open-site.ts';

const STYLES = fileURLToPath(new URL('../create/templates/shared/public', import.meta.url));

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

/** A site, and the teams that were registered on it: stories run side by side. */
function createTeams() {
  const teams: FormValues<typeof teamForm.fields>[] = [];
  return { teams, open: () => openTeams(teams) };
}

async function openTeams(teams: FormValues<typeof teamForm.fields>[]): Promise<Site> {
  const files = loadFiles(STYLES);
  const site = formPage(createSite(createMemoryStores(), { log: false, files }), '/', teamForm, {
    button: 'Register',
    show: ({ formHtml, form, flash }) => html`<!doctype html>
<html lang="en"><head><meta name="viewport" content="width=device-width"><title>${formTitle('Register a team', form)}</title>
<link rel="stylesheet" href="/styles.css"></head>
<body><main><h1>Register a team</h1><p role="status">${flash}</p>${formHtml}</main></body></html>`,
    send({ values }) {
      teams.push(values);
      return { path: localPath('/'), message: 'The team was registered.' };
    },
  });
  const server = await serve(site, { host: '127.0.0.1', port: 0 });
  return { url: server.url, log: () => '', stop: () => server.stop(0) };
}

const row = (page: Page, number: number) =>
  page.getByRole('group', { name: `Participant ${number}` });
const nameIn = (page: Page, number: number) => row(page, number).getByLabel('Name');

const changed = createTeams();

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
    assert.deepEqual(changed.teams, [
      {
        team: 'Chess',
        participants: [
          { name: 'Bob', vegan: false },
          { name: 'Ada', vegan: true },
        ],
      },
    ]);
  },
  { open: changed.open, javaScriptEnabled: false },
);

const repeated = createTeams();

story(
  'a form with rows that comes Back and is sent again counts once',
  async ({ page }) => {
    await page.goto('/');
    await page.getByLabel('Team').fill('Chess');
    await nameIn(page, 1).fill('Ada');
    await send(page, 'Add another participant');
    await nameIn(page, 2).fill('Bob');
    const form = await page.evaluate<Record<string, string>>(
      'Object.fromEntries(new FormData(document.forms[0]))',
    );
    await page.getByRole('button', { name: 'Register' }).click();
    await page.waitForURL(/sent=/);
    const headers = { 'sec-fetch-site': 'same-origin' };
    // A copy whose answer the browser never gets: its cookie would keep Chromium from going back to the page.
    const body = new URLSearchParams(form);
    await fetch(new URL('/?send', page.url()), {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
    });
    await page.goBack({ waitUntil: 'commit' });
    await nameIn(page, 2).waitFor();
    assert.equal(await nameIn(page, 2).inputValue(), 'Bob');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.waitForURL(/sent=/);
    assert.equal(repeated.teams.length, 1);
  },
  { open: repeated.open, goesBack: true },
);

story(
  'a form with rows is legible and accessible on a wide page and at 320 px, also refused',
  async ({ page }) => {
    await page.goto('/');
    await send(page, 'Add another participant');
    await send(page, 'Register');
    for (const { colorScheme, width } of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await findViolations(page), []);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
    }
  },
  { open: createTeams().open },
);
