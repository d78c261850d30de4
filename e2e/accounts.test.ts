/**
 * A log-in by a password with a form that was sent without a session, and what another tab and Back do to it.
 * accounts.release.test.ts has the other ways to log in, and accounts-in-tabs.release.test.ts what else tabs and
 * links do. Without scripts.
 */
import assert from 'node:assert/strict';
import { send, showsHeading, story } from './browser.ts';
import { openAccountSite, PASSWORD } from './open-account-site.ts';
import { asAccounts, NARROW, NOTE, openNote, passwordStep, tellWay } from './tell-way-in.ts';

tellWay({ name: 'a password', prepare: async () => [passwordStep] });

const options = { open: openAccountSite, goesBack: true, ...NARROW };

story(
  'who has logged in in another tab sends the form of this one, and the log-in leads on',
  async ({ page, site: opened }) => {
    const site = asAccounts(opened);
    await openNote(page, site);
    const logIn = await page.context().newPage();
    await logIn.goto('/login?next=%2Fnotes');
    const other = await page.context().newPage();
    await other.goto('/login');
    await site.logInAs('ada', other);
    // The tab with the form of before.
    await page.getByLabel('Note').fill(NOTE);
    await page.getByRole('button', { name: 'Add note' }).click();
    await showsHeading(page, 'Notes');
    assert.deepEqual(site.notes, [NOTE]);
    // The tab with the page of the log-in.
    await logIn.reload();
    await showsHeading(logIn, 'Add a note');
  },
  options,
);

story(
  'Back after a refused form with a password shows it again, and does not ask whether to send it once more',
  async ({ page, site: opened }) => {
    const site = asAccounts(opened);
    await site.register('ada');
    const sends = async (button: string, typed: readonly (readonly [string, string])[]) => {
      for (const [label, text] of typed) await page.getByLabel(label, { exact: true }).fill(text);
      return send(page, button);
    };
    const goesBack = async (heading: string) => {
      await page.goBack({ waitUntil: 'commit' });
      await showsHeading(page, heading);
      await page.getByRole('alert').waitFor();
    };
    await page.goto(await site.invite());
    const name = ['Username', 'bob'] as const;
    const register = (again: string) =>
      sends('Create account', [name, ['Password', PASSWORD], ['Password again', again]]);
    assert.equal(await register('another'), 400);
    assert.equal(await register(PASSWORD), 303);
    await goesBack('Create an account');
    await page.goto('/account/password');
    const change = (now: string) =>
      sends('Save password', [
        ['Current password', now],
        ['New password', 'another few words'],
        ['New password again', 'another few words'],
      ]);
    assert.equal(await change('not the one'), 400);
    assert.equal(await change(PASSWORD), 303);
    await goesBack('Change your password');
  },
  options,
);
