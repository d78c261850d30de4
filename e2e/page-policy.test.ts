/**
 * The pages obey their own content security policy: a browser reports no violation. page-policy.release.test.ts visits
 * all of them; accessibility.release.test.ts has the complaints of the browser on a page of each kind.
 */
import assert from 'node:assert/strict';
import { register, send, story } from './browser.ts';
import { watchPolicy } from './watch-policy.ts';

story(
  'G2: a browser reports no policy violation, and finds what breaks the policy',
  async ({ page }) => {
    const found = watchPolicy(page);
    await page.goto('/register');
    await register(page);
    await page.goto('/items/new');
    assert.equal(await send(page, 'Save item'), 400);
    await page.getByLabel('Name').fill('Drill');
    assert.equal(await send(page, 'Save item'), 303);
    for (const path of ['/items/999999', '/nothing', '/%ff']) await page.goto(path);
    assert.deepEqual(found(), []);

    // What is put into a page is found, so an empty list means something.
    await page.goto('/items');
    await page.evaluate("document.body.setAttribute('style', 'color: red')");
    await page.goto('/login');
    assert.equal(found().length, 1, found().join('\n'));

    // The one script runs with its hash alone: no other file does, though it is of the same site.
    await page.route('/login', async (route) => {
      const answer = await route.fetch();
      const tag = '<script type="module" src="/seeother.js?other"></script></head>';
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace('</head>', tag),
      });
    });
    await page.goto('/login');
    assert.match(found().slice(1).join('\n'), /script-src/);
  },
);
