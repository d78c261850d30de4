import assert from 'node:assert/strict';
import { createMessySpreadsheet, MESSY_FILE } from '../application/testing/messy-spreadsheet.ts';
import { register, send, showsHeading, story } from './browser.ts';

story(
  'a spreadsheet as people have it is imported in four steps, corrected, and undone',
  async ({ page }) => {
    await register(page);
    await page.goto('/items');
    await page.getByRole('button', { name: 'More tools' }).click();
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await showsHeading(page, 'Import items');
    const file = page.getByLabel('File', { exact: true });
    const choose = (buffer: Buffer, name = MESSY_FILE.name) =>
      file.setInputFiles({ name, mimeType: 'text/csv', buffer });
    await choose(Buffer.from('PK\u{3}\u{4}'), 'x.xlsx');
    assert.equal(await send(page, 'Read the file'), 400);
    await page.getByRole('alert').getByText('a workbook').waitFor();

    // One: choose the file. Two: look at its columns.
    await choose(createMessySpreadsheet());
    assert.equal(await send(page, 'Read the file'), 303);
    await showsHeading(page, `What the columns of ${MESSY_FILE.name} are`);
    await page.getByText('It was read as Windows-1252').waitFor();
    const cost = page.getByLabel('Becomes Kostenstelle');
    assert.equal(await cost.inputValue(), 'new choice');
    await cost.selectOption('Nothing: leave it out');
    // Three: look at the preview. A reload sends no file.
    assert.equal(await send(page, 'Show what it changes'), 303);
    await showsHeading(page, `What ${MESSY_FILE.name} changes`);
    await page.reload();
    const { things, doubles, withoutName } = MESSY_FILE;
    assert.deepEqual(await page.locator('.counts dd').allTextContents(), [
      ...[things, doubles, withoutName].map(String),
    ]);
    await page.getByText('“3,00” read as 3').waitFor();
    await page.getByText(`${withoutName} rows: Bezeichnung: Enter a name.`).waitFor();
    // Four: import. The page of a running import loads itself again until it is done.
    assert.equal(await send(page, 'Import'), 303);
    await showsHeading(page, `${MESSY_FILE.name} was imported`);
    await page.goto('/items?q=meissel+gross');
    await page.getByRole('link', { name: 'Meißel groß', exact: true }).waitFor();

    // The rows that were left out come back as a file, and only the corrected one is new in it.
    await page.goto('/items/imports/1');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download them with the reasons' }).click();
    const refused = await (await download).createReadStream();
    const text = (await refused.toArray()).join('').replace('\n,', '\nMeterstab,');
    await page.getByRole('link', { name: 'Import another file' }).click();
    await choose(Buffer.from(text), 'refused.csv');
    assert.equal(await send(page, 'Read the file'), 303);
    await showsHeading(page, 'What refused.csv changes');
    assert.equal(await send(page, 'Import'), 303);
    await showsHeading(page, 'refused.csv was imported');

    // The whole file again adds nothing.
    await page.getByRole('link', { name: 'Import another file' }).click();
    await choose(createMessySpreadsheet());
    assert.equal(await send(page, 'Read the file'), 303);
    await page.getByText('Nothing new to import.').waitFor();
    await page.getByText('You imported this file on').waitFor();
    await page.getByRole('link', { name: 'See what was imported' }).click();
    await showsHeading(page, `Imported ${MESSY_FILE.things} items from ${MESSY_FILE.name}`);
    assert.equal(await send(page, 'Undo all'), 303);
    await page.getByText(`${MESSY_FILE.things} changes were undone.`).waitFor();
  },
  { javaScriptEnabled: false },
);
