/** The stories of choices that are searched in a table, of one engine. Without a script. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { send, showsHeading, story } from './browser.ts';
import type { LoansSite } from './open-loans.ts';

export async function enter(page: Page, path = '/lend'): Promise<void> {
  await page.goto('/login');
  await send(page, 'Log in');
  await page.goto(path);
}

export function tellChoices(engine: string, open: () => Promise<LoansSite>): void {
  const own = { open, javaScriptEnabled: false };
  story(
    `a person is found and chosen, what depends on it follows, and the form counts once (${engine})`,
    async ({ page, site }) => {
      const { loans } = site as LoansSite;
      await enter(page, '/lend?days=3&note=ignored');
      await page.getByText('Deposit: 6 €').waitFor();
      await page.getByLabel('Note').fill('By the window');
      await page.getByLabel('Find a person').fill('A');
      assert.equal(await send(page, 'Find'), 200);
      assert.equal(await page.locator(':focus').getAttribute('name'), 'find');
      assert.deepEqual(await page.getByRole('radio').count(), 2);
      await page.getByLabel('Alan').check();
      await page.getByLabel('Days').fill('5');
      assert.equal(await send(page, 'Update'), 200);
      await page.getByText('Deposit: 10 €').waitFor();
      assert.ok(await page.getByLabel('Alan').isChecked());
      await page.getByLabel('Find a person').fill('G');
      assert.equal(await send(page, 'Find'), 200);
      assert.ok(await page.getByLabel('Alan').isChecked(), 'the chosen one stays');
      assert.equal(await page.getByLabel('Note').inputValue(), 'By the window');

      await page.getByRole('button', { name: 'Lend', exact: true }).dblclick();
      await page.getByText('Lent.').waitFor();
      await page.goBack();
      assert.equal(await page.getByLabel('Note').inputValue(), 'By the window');
      await send(page, 'Lend');
      assert.deepEqual(await loans(), ['2 5 By the window']);
    },
    { ...own, goesBack: true },
  );

  story(
    `a person who was removed meanwhile is an error, and nothing else is lost (${engine})`,
    async ({ page, site }) => {
      const { loans, remove } = site as LoansSite;
      await enter(page);
      await page.getByLabel('Find a person').fill('Gr');
      await page.getByLabel('Note').fill('By the window');
      await page.getByLabel('Note').press('Enter');
      await page.getByRole('link', { name: 'Find a person and choose one' }).click();
      await page.getByLabel('Grace').check();
      await remove('Grace');
      assert.equal(await send(page, 'Lend'), 400);
      await page.getByRole('link', { name: /what you chose is no longer available/ }).waitFor();
      assert.ok(await page.getByLabel('No longer available').isChecked());
      assert.equal(await page.getByLabel('Note').inputValue(), 'By the window');
      assert.deepEqual(await loans(), []);
    },
    own,
  );

  story(
    `a new person is added on the way, and the form is as it was, with that person chosen (${engine})`,
    async ({ page, site }) => {
      const { loans } = site as LoansSite;
      await enter(page, '/lend?days=3');
      await page.getByLabel('Note').fill('By the window');
      assert.equal(await send(page, 'Add a new person'), 303);
      await showsHeading(page, 'Add a person');
      assert.equal(await send(page, 'Save'), 400);
      await page.getByLabel('Name').fill('Zoe');
      await page.getByRole('button', { name: 'Save' }).dblclick();
      await showsHeading(page, 'Lend');
      assert.ok(await page.getByLabel('Zoe').isChecked());
      assert.equal(await page.getByLabel('Note').inputValue(), 'By the window');
      assert.equal(new URL(page.url()).search, '?days=3');
      await send(page, 'Lend');
      assert.deepEqual(await loans(), ['4 3 By the window']);
    },
    own,
  );
}
