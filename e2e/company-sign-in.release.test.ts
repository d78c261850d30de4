/** A company's sign-in whose provider answers with a form that the browser posts from another site. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { story } from './browser.ts';
import { openFirefox, skipFirefox } from './firefox.ts';
import { type CompanySite, openCompanySignIn } from './open-company-sign-in.ts';

story(
  'a person signs in at a provider that posts its answer',
  async ({ page, site }) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign in with Example' }).click();
    await page.locator('[name=login]').fill('ada');
    await page.locator('[name=password]').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Hello Ada').waitFor();
    assert.equal(new URL(page.url()).search, '');
    assert.deepEqual((site as CompanySite).cookies, ['POST without', 'GET with']);
  },
  { open: openCompanySignIn, needsScripts: true },
);

test('a person signs in with Firefox at a provider that posts its answer', {
  skip: skipFirefox,
}, async (t) => {
  const firefox = await openFirefox(t);
  const site = await openCompanySignIn();
  t.after(() => site.stop());
  await firefox.open(site.url);
  await firefox.click('a[href="/sign-in/company"]');
  await firefox.waitFor("document.querySelector('[name=login]') !== null");
  await firefox.type('[name=login]', 'ada');
  await firefox.type('[name=password]', 'any');
  await firefox.click('button[type=submit]');
  await firefox.waitFor("document.body.innerText.includes('Continue')");
  await firefox.click('button[type=submit]');
  await firefox.waitFor("document.body.innerText.includes('Hello Ada')");
  assert.deepEqual(site.cookies, ['POST without', 'GET with']);
});
