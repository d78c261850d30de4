/** As restored-text.test.ts, of a form to add something, whose key is another one in the newer page. */
import assert from 'node:assert/strict';
import { register, send, showsHeading, story } from './browser.ts';

story(
  'after Back to a page that another tab has loaded anew, a form that was sent counts once',
  async ({ page }) => {
    await register(page);
    await page.goto('/items/new');
    const key = () => page.locator('main form [name="_once"]').inputValue();
    const first = await key();
    await page.getByLabel('Name').fill('Tent');
    const opened = page.waitForEvent('popup');
    await page.evaluate(`void open('/items/new')`);
    await (await opened).getByLabel('Name').waitFor();
    assert.equal(await send(page, 'Save item'), 303);
    await showsHeading(page, 'Tent No. 7');
    await page.goBack();
    assert.equal(await page.getByLabel('Name').inputValue(), 'Tent');
    assert.notEqual(await key(), first);
    assert.equal(await send(page, 'Save item'), 303);
    await showsHeading(page, 'Tent No. 7');
    // Another text is another form.
    await page.goBack();
    await page.getByLabel('Name').fill('Tarpaulin');
    assert.equal(await send(page, 'Save item'), 303);
    await showsHeading(page, 'Tarpaulin No. 8');
  },
  { goesBack: true, needsScripts: true },
);
