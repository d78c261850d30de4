import assert from 'node:assert/strict';
import { fillAccount, logOut, register, send, showsHeading, story } from './browser.ts';

story(
  'E11: after logging out, Back shows nothing private',
  async ({ page }) => {
    await register(page);
    await page.getByRole('link', { name: 'Add item' }).first().click();
    await page.getByLabel('Name').fill('A surprise for Grace');
    assert.equal(await logOut(page), 303);
    await page.waitForURL('/login');
    const names = (await page.context().cookies()).map(({ name }) => name);
    const left = names.map((name) => name.replace('__Host-', ''));
    assert.deepEqual(left, ['device'], 'what is left logs nobody in');

    await page.goBack({ waitUntil: 'commit' });

    await page.getByText('Log in to continue.').waitFor();
    assert.equal(await page.getByText('Logged in as').count(), 0);
    assert.equal(await page.getByLabel('Name', { exact: true }).count(), 0);
  },
  { goesBack: true },
);

story('a cookie from before the log-out is invalid', async ({ page, openBrowser }) => {
  await register(page);
  const thief = await openBrowser({
    storageState: await page.context().storageState(),
  });
  const stolen = await thief.newPage();
  await stolen.goto('/items/new');
  await stolen.getByText('Logged in as ada').waitFor();

  await logOut(page);
  await stolen.goto('/items/new');

  await showsHeading(stolen, 'Log in');
  assert.equal(await stolen.getByText('Logged in as').count(), 0);
});

story('a wrong password is answered with the form and the username in it', async ({ page }) => {
  await register(page);
  await logOut(page);
  await page.waitForURL('/login');

  await fillAccount(page, { password: 'incorrect horse' });
  assert.equal(await send(page, 'Log in'), 401);

  const summary = page.getByRole('alert');
  await summary.getByText('Username or password is incorrect').waitFor();
  assert.match(await page.title(), /^Error: Log in/);
  assert.equal(await page.getByLabel('Username').inputValue(), 'ada');
  assert.equal(await page.getByLabel('Password').inputValue(), '');

  await page.getByLabel('Password').fill('correct horse battery');
  assert.equal(await send(page, 'Log in'), 303);
  await page.waitForURL('/items');
  await page.getByText('Logged in as ada').waitFor();
});
