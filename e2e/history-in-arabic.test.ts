import assert from 'node:assert/strict';
import { register, send, showsHeading, story } from './browser.ts';

story(
  'an old name in Arabic stands before the arrow, and the new one behind it',
  async ({ page }) => {
    await register(page);
    for (const name of ['مثقاب', 'مطرقة']) {
      await page.goto('/items/1/edit');
      await page.getByLabel('Name').fill(name);
      assert.equal(await send(page, 'Save changes'), 303);
      await showsHeading(page, `${name} No. 1`);
    }
    const left = async (element: string) =>
      (await page.locator(`.changes ${element}`).first().boundingBox())?.x ?? assert.fail(element);
    assert.ok((await left('del')) < (await left('ins')));
  },
);
