import assert from 'node:assert/strict';
import { register, send, showsHeading, story } from './browser.ts';
import { createKeyboard } from './keyboard.ts';

/** Chair A to Chair T. */
const CHAIRS = Array.from({ length: 20 }, (_, at) => `Chair ${String.fromCharCode(65 + at)}`);

story(
  'a shelf of twenty is counted with the keyboard, without scripts, while somebody takes from it',
  async ({ page }) => {
    await register(page);
    const headers = { 'sec-fetch-site': 'same-origin' };
    const add = (name: string) => ({ name, quantity: '6', location: 'Hall' });
    for (const name of CHAIRS) await page.request.post('/items', { form: add(name), headers });
    const { type, press, tabTo, activate } = createKeyboard(page);
    const counted = (letter: string) => page.getByLabel(`Counted Chair ${letter} (optional)`);

    await page.goto('/items?location=Hall');
    await activate(page.getByRole('button', { name: 'More tools' }));
    await activate(page.getByRole('link', { name: 'Count', exact: true }));
    await showsHeading(page, 'Count Hall');
    for (const [letter, number] of [
      ['B', '5'],
      ['G', '7'],
      ['T', '4'],
    ] as const) {
      await tabTo(counted(letter));
      await type(number);
    }
    await press('Enter');
    await showsHeading(page, 'What differs');
    await page.getByText('3 of 20 numbers differ from what is stored.').waitFor();
    await page.getByRole('row', { name: 'Chair G 6 7 (+1)' }).waitFor();
    await activate(page.getByRole('link', { name: 'Go on counting' }));
    await showsHeading(page, 'Count Hall');
    assert.equal(await counted('G').inputValue(), '7');
    await activate(page.getByRole('button', { name: 'Save' }));
    await showsHeading(page, 'What differs');

    // Chair G is No. 13. Meanwhile somebody takes two of them.
    const take = { amount: '2', button: 'take' };
    await page.request.post('/items/13/quantity', { form: take, headers, maxRedirects: 0 });
    await activate(page.getByRole('button', { name: 'Store these' }));
    await page.getByText('Corrected the quantity of 2 items. “Chair G” was changed').waitFor();
    await page.getByText('it was 6 when you counted 7, and is 4 now.').waitFor();
    await tabTo(page.getByRole('radio', { name: 'The stored one' }));
    await press('ArrowDown');
    await activate(page.getByRole('button', { name: 'Store these' }));
    await page.getByText('Corrected the quantity of 1 item.').waitFor();
    const shown = (name: string) =>
      page.getByRole('row', { name }).getByRole('cell').first().textContent();
    assert.deepEqual(await Promise.all(['Chair B', 'Chair G', 'Chair T'].map(shown)), [
      '5',
      '7',
      '4',
    ]);

    await page.goto('/items/history');
    await page.getByRole('link', { name: 'corrected the quantity of 2 items' }).click();
    assert.equal(await send(page, 'Undo all'), 303);
    await page.getByText('2 changes were undone.').waitFor();
    await page.goto('/items?location=Hall');
    assert.deepEqual(await Promise.all(['Chair B', 'Chair G', 'Chair T'].map(shown)), [
      '6',
      '7',
      '6',
    ]);
  },
  { javaScriptEnabled: false, reducedMotion: 'reduce' },
);
