/**
 * A chosen file stays with its form through everything: a refusal, a button that adds a row, a log-in in the middle,
 * and a restart. The pages have no script.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { defineForm, formPage, formTitle, localPath, notFound, requireSession } from 'seeother';
import { createStores } from 'seeother/database';
import { fileField, filesField, rows, textField } from 'seeother/fields';
import { createFolder, sendFile } from 'seeother/files';
import { openSqlite } from 'seeother/sqlite';
import { storedKeys } from '../framework/src/testing/stored-keys.ts';
import { findViolations } from './axe.ts';
import { send, story } from './browser.ts';
import {
  createSiteWithLogIn,
  openRestartable,
  plainPage,
  type RestartableSite,
} from './serve-site.ts';

const claimForm = defineForm({
  title: textField({ label: 'Title', required: 'Enter a title', maxLength: 80 }),
  invoice: fileField({ label: 'Invoice', required: 'Choose an invoice', maxSize: 1_000_000 }),
  plans: filesField({ label: 'Plans', maxFiles: 3, maxSize: 1_000_000 }),
  receipts: rows({
    label: 'Receipts',
    name: 'Receipt',
    max: 3,
    fields: { photo: fileField({ label: 'Photo', maxSize: 1_000_000 }) },
  }),
});
interface ClaimsSite extends RestartableSite {
  /** The keys of the stored files. */
  readonly stored: () => Promise<readonly string[]>;
}

async function openClaims(): Promise<ClaimsSite> {
  const claims = await openRestartable(async (folder) => {
    const database = await openSqlite(join(folder, 'claims.db'), {
      migrate: async ({ run }) => {
        await run(
          'create table if not exists claims (id integer primary key, files text not null)',
        );
      },
    });
    const fileStore = createFolder(join(folder, 'files'));
    const site = createSiteWithLogIn(createStores(database, { fileStore }), '/claims').get(
      '/claims/:id<int>/:at<int>',
      requireSession,
      async (context) => {
        const { id, at } = context.params;
        const { rows } = await database.read.run<{ readonly files: string }>(
          'select files from claims where id = ?',
          [id],
        );
        const file: unknown = rows[0] === undefined ? null : JSON.parse(rows[0].files)[at - 1];
        return typeof file === 'string' ? sendFile(context, file) : notFound();
      },
    );
    formPage(site, '/claims', claimForm, {
      middleware: [requireSession],
      button: 'Send',
      show: ({ form, formHtml }) => plainPage(formTitle('Claim', form), formHtml),
      async send({ values: { invoice, plans, receipts }, transaction }) {
        const files = [await invoice.keep(transaction)];
        for (const plan of plans) files.push(await plan.keep(transaction));
        for (const { photo } of receipts)
          if (photo !== null) files.push(await photo.keep(transaction));
        await transaction.run('insert into claims (files) values (?)', [JSON.stringify(files)]);
        return { path: localPath('/'), message: 'The claim was sent.' };
      },
    });
    return { database, site };
  });
  return { ...claims, stored: () => storedKeys(join(claims.folder, 'files')) };
}

const choose = (page: Page, label: string, name: string, content: string) =>
  page
    .getByLabel(label)
    .setInputFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from(content) });

story(
  'a chosen file stays through a refusal, Add another, a log-in and a restart, and arrives',
  async ({ page, site }) => {
    const { stored, restart } = site as ClaimsSite;
    await page.goto('/claims');
    await send(page, 'Log in');
    await choose(page, 'Invoice', 'may.pdf', 'the invoice of May');
    const toPlan = (name: string) => ({ name, mimeType: '', buffer: Buffer.from(name) });
    await page.getByLabel('Plans').setInputFiles(['cellar', 'attic'].map(toPlan));
    await send(page, 'Send');
    assert.match(await page.getByRole('alert').innerText(), /Enter a title/);
    const shown = page.getByText('may.pdf, 18 bytes');
    assert.equal(await shown.count(), 1);
    assert.deepEqual(await findViolations(page), []);

    await choose(page, 'Photo', 'one.png', 'one');
    await page.getByLabel('Plans').setInputFiles([toPlan('roof')]);
    await send(page, 'Add another receipt');
    assert.equal(await page.getByText('one.png, 3 bytes').count(), 1);
    assert.equal(await shown.count(), 1);
    await send(page, 'Remove one.png');
    assert.equal(await page.getByText('one.png').count(), 0);
    await send(page, 'Remove attic');
    const plans = () => page.locator('.file', { hasNotText: 'may' }).allInnerTexts();
    const shownPlans = ['cellar, 6 bytes Remove cellar', 'roof, 4 bytes Remove roof'];
    assert.deepEqual(await plans(), shownPlans);
    assert.equal((await stored()).length, 3);

    const other = await page.context().newPage();
    await other.goto('/');
    await send(other, 'Log out');
    await restart();
    await page.getByLabel('Title').fill('May');
    await send(page, 'Send');
    assert.equal(await page.title(), 'Log in');
    await send(page, 'Log in');
    assert.equal(await page.getByLabel('Title').inputValue(), 'May');
    assert.equal(await shown.count(), 1);
    assert.deepEqual(await plans(), shownPlans);
    await restart();
    await send(page, 'Send');
    assert.equal(await page.getByRole('status').innerText(), 'The claim was sent.');

    const [download] = await Promise.all([
      other.waitForEvent('download'),
      other.goto('/claims/1/1').catch(() => null),
    ]);
    assert.equal(download.suggestedFilename(), 'may.pdf');
    const chunks: Uint8Array[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    assert.equal(Buffer.concat(chunks).toString(), 'the invoice of May');
    assert.equal((await stored()).length, 3);
  },
  { open: openClaims },
);
