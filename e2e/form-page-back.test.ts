import assert from 'node:assert/strict';
import { createMemoryStores, createSite, defineForm, formPage, html, localPath } from 'seeother';
import { textField } from 'seeother/fields';
import { story } from './browser.ts';
import type { Site } from './open-site.ts';
import { serveSite } from './serve-site.ts';

const noteForm = defineForm({
  text: textField({ label: 'Note', required: 'Enter a note', maxLength: 100 }),
});

/** A site whose form and list have one address, as a guest book has. */
async function openNotes(): Promise<Site> {
  const notes: string[] = [];
  const site = formPage(createSite(createMemoryStores(), { log: false }), '/', noteForm, {
    button: 'Save',
    show: ({ formHtml, flash }) => html`<!doctype html><html lang="en"><title>Notes</title>
<h1>Notes</h1><p role="status">${flash}</p>${formHtml}<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`,
    send({ values }) {
      notes.push(values.text);
      return { path: localPath('/'), message: 'The note was saved.' };
    },
  });
  return serveSite(site);
}

for (const isReloaded of [false, true])
  story(
    `a form page that comes Back${isReloaded ? ' after a reload' : ''} has the same key, so its form counts once`,
    async ({ page }) => {
      await page.goto('/');
      await page.getByLabel('Note').fill('milk');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The note was saved.').waitFor();
      if (isReloaded) {
        await page.reload();
        await page.getByText('The note was saved.').waitFor({ state: 'detached' });
      }
      await page.goBack({ waitUntil: 'commit' });
      await page.getByRole('listitem').waitFor({ state: 'detached' });
      assert.equal(await page.getByLabel('Note').inputValue(), 'milk');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('listitem').first().waitFor();
      assert.equal(await page.getByRole('listitem').count(), 1);
    },
    { open: openNotes, goesBack: true },
  );
