import assert from 'node:assert/strict';
import { register, send, story } from './browser.ts';
import { overSlowLine } from './slow-line.ts';

story(
  'a page whose first answer was lost on the way has its message, and a reload does not',
  overSlowLine(async (page, line, site) => {
    await register(page);
    await page.goto('/items/new');
    await page.getByLabel('Name').fill('Ladder');
    line.losing = `GET ${site.url}/items/7 `;
    // The browser asks again by itself, because its connection was closed without an answer.
    assert.equal(await send(page, 'Save item'), 303);
    await page.getByText('The item was saved.').waitFor();
    assert.equal(site.log().match(/\[GET\] \/items\/7 200/g)?.length, 2);
    await page.reload();
    await page.getByText('The item was saved.').waitFor({ state: 'detached' });
  }),
);
