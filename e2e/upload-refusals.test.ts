/** Uploads that are answered 413, 429 or 503: the page of the refusal is shown, and the form counts once. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import {
  createSite,
  defineForm,
  formPage,
  formTitle,
  HttpError,
  html,
  loadFiles,
  localPath,
} from 'seeother';
import { createStores } from 'seeother/database';
import { fileField, textField } from 'seeother/fields';
import { createFolder } from 'seeother/files';
import { openSqlite } from 'seeother/sqlite';
import { findViolations } from './axe.ts';
import { showsHeading, story } from './browser.ts';
import { openRestartable, STYLES, styledPage } from './serve-site.ts';
import { watchPolicy } from './watch-policy.ts';

const PAPER = { name: 'paper.txt', mimeType: 'text/plain', buffer: Buffer.alloc(300_000, 'x') };

/** A form with the title 429 or 503 is refused once with this status. */
async function openPapers() {
  const sent: string[] = [];
  const refused = new Set<string>();
  const paperForm = defineForm({
    title: textField({ label: 'Title', required: 'Enter a title', maxLength: 80 }),
    paper: fileField({ label: 'Paper', required: 'Choose a paper', maxSize: 1_000_000 }),
  });
  const site = await openRestartable(async (folder) => {
    const database = await openSqlite(join(folder, 'papers.db'));
    const fileStore = createFolder(join(folder, 'files'));
    const site = createSite(createStores(database, { fileStore }), {
      log: false,
      errors: { report: () => {} },
      files: loadFiles(STYLES),
      forms: { script: true, limit: 2_000 },
    });
    formPage(site, '/paper', paperForm, {
      button: 'Send',
      show: ({ form, formHtml }) =>
        styledPage(formTitle('Paper', form), html`<h1>Paper</h1>${formHtml}`),
      send({ values: { title, paper } }) {
        if (/^\d+$/.test(title) && !refused.has(title)) {
          refused.add(title);
          throw new HttpError(title === '429' ? 429 : 503, 'Come back later.');
        }
        sent.push(`${title} ${paper.size}`);
        return localPath('/done');
      },
    });
    site.get('/done', () => ({
      status: 200,
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
      body: styledPage('Done', html`<h1>Done</h1>`).markup,
    }));
    return { database, site };
  });
  return { ...site, sent };
}
type Papers = Awaited<ReturnType<typeof openPapers>>;

for (const status of [429, 503])
  story(
    `an upload that is answered ${status} is sent again from that page, and counts once`,
    async ({ page, site }) => {
      const violations = watchPolicy(page);
      await page.goto('/paper');
      await page.getByLabel('Title').fill(`${status}`);
      await page.locator('#paper').setInputFiles(PAPER);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('Come back later.').waitFor();
      assert.equal(await page.getByRole('progressbar').count(), 0);
      assert.deepEqual(await findViolations(page), []);
      await page.getByRole('button', { name: 'Try again' }).dblclick();
      await showsHeading(page, 'Done');
      assert.deepEqual((site as Papers).sent, [`${status} 300000`]);
      assert.deepEqual(violations(), []);
    },
    { open: openPapers, needsScripts: true },
  );

story(
  'an upload that is answered 413 says why, and Back leads to the form as it was',
  async ({ page, site }) => {
    await page.goto('/done');
    await page.goto('/paper');
    const title = page.getByLabel('Title');
    await title.fill('x'.repeat(3_000));
    await page.locator('#paper').setInputFiles(PAPER);
    const key = page.locator('[name=_once]');
    const before = await key.inputValue();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('x'.repeat(3_000)).waitFor();
    await page.goBack({ waitUntil: 'commit' });
    await showsHeading(page, 'Paper');
    assert.equal(await key.inputValue(), before);
    assert.equal(await title.inputValue(), 'x'.repeat(3_000));
    assert.equal(await page.getByRole('progressbar').count(), 0);
    await title.fill('Fair');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await showsHeading(page, 'Done');
    assert.deepEqual((site as Papers).sent, ['Fair 300000']);
  },
  { open: openPapers, goesBack: true, needsScripts: true },
);

story(
  'Back to a form whose upload was carried out can send it again, and it counts once',
  async ({ page, site }) => {
    await page.goto('/paper');
    await page.getByLabel('Title').fill('Fair');
    await page.locator('#paper').setInputFiles(PAPER);
    for (let count = 0; count < 2; count++) {
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await showsHeading(page, 'Done');
      await page.goBack({ waitUntil: 'commit' });
      await showsHeading(page, 'Paper');
    }
    assert.deepEqual((site as Papers).sent, ['Fair 300000']);
  },
  { open: openPapers, goesBack: true, needsScripts: true },
);
