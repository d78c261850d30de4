/** Everything that a team does every day, with the keyboard alone, in a browser without scripts. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ACCOUNT, showsHeading, story } from './browser.ts';
import { createKeyboard } from './keyboard.ts';

/** Without motion, a skip link that gets the focus is in its place at once. */
const PLAIN = { javaScriptEnabled: false, reducedMotion: 'reduce' } as const;
const NEW_PASSWORD = 'battery staple horse';

/** What the stories press, by the names that a screen reader says. */
function namesOn(page: Page) {
  const named =
    (role: 'link' | 'button' | 'textbox' | 'searchbox' | 'combobox') => (name: string) =>
      page.getByRole(role, { name, exact: true }).first();
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const says = (text: string) => page.getByRole('status').getByText(text).waitFor();
  return { link: named('link'), button: named('button'), field, says };
}

story(
  'an item is added, found, changed, deleted and brought back with the keyboard alone',
  async ({ page }) => {
    const { press, type, tabTo, activate } = createKeyboard(page);
    const { link, button, field, says } = namesOn(page);
    await page.goto('/register');
    await tabTo(field('Username'));
    await type(ACCOUNT.username);
    for (const label of ['Password', 'Password again']) {
      await tabTo(field(label));
      await type(ACCOUNT.password);
    }
    await press('Enter');
    await showsHeading(page, 'Items 6 items');

    await activate(link('Add item'));
    await showsHeading(page, 'Add an item');
    await activate(button('Save item'), 'Space');
    // The summary of the errors has the focus, and its link leads to the field.
    await page.getByRole('alert').and(page.locator(':focus')).waitFor();
    await activate(page.getByRole('alert').getByRole('link'));
    assert.ok(await field('Name').evaluate((element) => element.matches(':focus')));
    await type('Soldering iron');
    await activate(button('Save item'), 'Space');
    await showsHeading(page, 'Soldering iron No. 7');

    await activate(link('Items'));
    await tabTo(page.getByRole('searchbox'));
    await type('solder');
    await press('Enter');
    await page.getByText('1 item matches.').waitFor();
    await activate(link('Soldering iron'));
    await showsHeading(page, 'Soldering iron No. 7');

    await activate(link('Edit'));
    await tabTo(field('Quantity (optional)'));
    await type('9');
    await press('Enter');
    await showsHeading(page, 'Soldering iron No. 7');
    await activate(page.getByText('Change the quantity'));
    await tabTo(field('Amount'));
    await type('2');
    await tabTo(field('Reason (optional)'));
    await type('for the fair');
    await activate(button('Take'), 'Space');
    await says('Quantity is now 7 (was 9).');

    await activate(link('All changes'));
    await showsHeading(page, 'History of Soldering iron No. 7');
    await activate(button('Undo'));
    await showsHeading(page, 'Soldering iron No. 7');
    await page.getByRole('region', { name: 'Quantity' }).getByText('9', { exact: true }).waitFor();

    await activate(button('More actions'));
    await activate(button('Delete'));
    await says('“Soldering iron” was deleted.');
    await activate(button('Undo'));
    await showsHeading(page, 'Soldering iron No. 7');
    await activate(button('More actions'), 'Space');
    await activate(button('Delete'), 'Space');
    await says('“Soldering iron” was deleted.');
    await activate(link('History'));
    await activate(link('Bin'));
    await showsHeading(page, 'Bin');
    await activate(button('Restore'));
    await showsHeading(page, 'Soldering iron No. 7');
  },
  PLAIN,
);

story(
  'a person is invited, the password changed, and the session ended with the keyboard alone',
  async ({ page }) => {
    const { press, type, tabTo, activate } = createKeyboard(page);
    const { link, button, field, says } = namesOn(page);
    const menu = page.locator('.viewer > button');
    await page.goto('/register');
    for (const [label, text] of [
      ['Username', ACCOUNT.username],
      ['Password', ACCOUNT.password],
      ['Password again', ACCOUNT.password],
    ] as const) {
      await tabTo(field(label));
      await type(text);
    }
    await activate(button('Create account'));
    await showsHeading(page, 'Items 6 items');

    await activate(menu);
    await link('Account').waitFor();
    await press('Escape');
    await link('Account').waitFor({ state: 'hidden' });
    assert.ok(await menu.evaluate((element) => element.matches(':focus')));
    await press('Enter');
    await activate(link('People'));
    await showsHeading(page, 'People');
    await tabTo(field('Name'));
    await type('Grace Hopper');
    await tabTo(field('Role'));
    const before = await field('Role').inputValue();
    await press('ArrowDown');
    assert.notEqual(await field('Role').inputValue(), before);
    await activate(button('Invite'));
    await page.getByRole('status').locator('code').waitFor();

    await activate(menu, 'Space');
    await activate(link('Account'));
    await showsHeading(page, 'Your account');
    await activate(link('Change your password'));
    await tabTo(field('Current password'));
    await type(ACCOUNT.password);
    for (const label of ['New password', 'New password again']) {
      await tabTo(field(label));
      await type(NEW_PASSWORD);
    }
    await press('Enter');
    await says('password');

    await activate(menu);
    await activate(button('Log out'));
    await showsHeading(page, 'Log in');
    await tabTo(field('Username'));
    await type(ACCOUNT.username);
    await tabTo(field('Password'));
    await type(NEW_PASSWORD);
    await press('Enter');
    await showsHeading(page, 'Items 6 items');
  },
  PLAIN,
);
