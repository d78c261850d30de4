import assert from 'node:assert/strict';
import { createMemoryStores, createSite, defineForm, formPage, html, localPath } from 'seeother';
import { textField } from 'seeother/fields';
import { limitRate } from 'seeother/middleware';
import { findViolations } from './axe.ts';
import { story } from './browser.ts';
import type { Site } from './open-site.ts';
import { serveSite } from './serve-site.ts';

const noteForm = defineForm({
  text: textField({ label: 'Note', required: 'Enter a note', maxLength: 100 }),
});

/** The limit counts by the hour, so that the story need not wait for it. */
let hour = 'one';

/** A site where everybody adds one note an hour. */
async function openNotes(): Promise<Site> {
  const notes: string[] = [];
  const site = formPage(createSite(createMemoryStores(), { log: false }), '/', noteForm, {
    button: 'Save',
    middleware: [limitRate({ key: () => hour, maxPerKey: 1, within: 3_600_000 })],
    show: ({ formHtml }) => html`<!doctype html><html lang="en"><title>Notes</title>
<main><h1>Notes</h1>${formHtml}<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul></main></html>`,
    send({ values }) {
      notes.push(values.text);
      return localPath('/');
    },
  });
  return serveSite(site);
}

story(
  'a form that is sent too often is refused with what was typed, and counts once after Back',
  async ({ page }) => {
    const save = async (note: string) => {
      await page.getByLabel('Note').fill(note);
      const answer = page.waitForResponse((response) => response.request().method() === 'POST');
      await page.getByRole('button', { name: 'Save' }).click();
      return (await answer).status();
    };
    await page.goto('/');
    assert.equal(await save('milk'), 303);
    await page.getByRole('listitem').waitFor();
    assert.equal(await save('bread'), 429);
    await page.getByText('You can try again in 60 minutes.').waitFor();
    assert.equal(await page.getByRole('definition').textContent(), 'bread');
    assert.deepEqual(await findViolations(page), []);

    hour = 'another';
    await page.goBack({ waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Save' }).waitFor();
    assert.equal(await page.getByLabel('Note').inputValue(), 'bread');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('bread').waitFor();
    assert.deepEqual(await page.getByRole('listitem').allTextContents(), ['milk', 'bread']);
  },
  {
    open: openNotes,
    goesBack: true,
    viewport: { width: 320, height: 640 },
  },
);
