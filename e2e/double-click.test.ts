import assert from 'node:assert/strict';
import { countItems, register, showsHeading, story } from './browser.ts';
import { clickTwice, overSlowLine } from './slow-line.ts';

story(
  'a double click on Save over a slow connection saves one item',
  overSlowLine(async (page, line, site) => {
    await register(page);
    await page.goto('/items/new');
    await page.getByLabel('Name').fill('Ladder');
    await clickTwice(line, page.getByRole('button', { name: 'Save item' }));
    await showsHeading(page, 'Ladder No. 7');
    assert.equal(site.log().match(/\[POST\] \/items 303/g)?.length, 2);
    assert.equal(await countItems(page), '7 items');
  }),
  { onPostgresToo: true },
);
