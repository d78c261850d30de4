/** The main ways to log in with a form on the way, in Firefox: it is filled in afterwards, and counts once. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { TOTP } from 'otpauth';
import { openFirefox, skipFirefox } from './firefox.ts';
import { openAccountSite, PASSWORD } from './open-account-site.ts';

const DAY = 86_400_000;
const BUTTON = 'main form button';

test('in Firefox, a form comes back after each log-in, and counts once', {
  skip: skipFirefox,
}, async (t) => {
  const site = await openAccountSite();
  t.after(() => site.stop());
  const firefox = await openFirefox(t);
  const { click, evaluate, goBack, open, type, waitFor } = firefox;
  const isOn = (path: string) => waitFor(`location.pathname === '${path}'`);
  const logIn = async (username: string) => {
    await isOn('/login');
    await type('#username', username);
    await type('#password', PASSWORD);
    await click(BUTTON);
  };
  /** Types a note into a form whose session ends, sends it, and goes to the log-in. */
  const loseSession = async (username: string, note: string, before = async () => {}) => {
    await site.register(username, `${username}@example.org`);
    await open(`${site.url}/login?next=%2Fnotes`);
    await logIn(username);
    await isOn('/notes');
    await before();
    await type('#note', note);
    site.pass(60 * DAY);
    await click(BUTTON);
    await waitFor("document.querySelector('h1').textContent === 'Log in to continue'");
    await click('main a[href^="/login"]');
    await isOn('/login');
  };
  const addOnce = async (note: string) => {
    await isOn('/notes');
    assert.equal(await evaluate("document.querySelector('#note').value"), note);
    await click(BUTTON);
    await isOn('/');
    await goBack();
    await isOn('/notes');
    assert.equal(site.notes.filter((one) => one === note).length, 1);
  };

  await t.test('after a password', async () => {
    await loseSession('ada', 'by password');
    await logIn('ada');
    await addOnce('by password');
  });

  await t.test('after a new password for a forgotten one', async () => {
    site.pass(60 * DAY);
    await loseSession('bob', 'by mail');
    await click('main a[href^="/password/forgot"]');
    await isOn('/password/forgot');
    await type('#email', 'bob@example.org');
    await click(BUTTON);
    await isOn('/mail-sent');
    await open(site.url + site.linkOfMail());
    await isOn('/password/new');
    for (const field of ['#password', '#passwordagain']) await type(field, 'another few words');
    await click(BUTTON);
    await addOnce('by mail');
  });

  await t.test('after a one-time code', async () => {
    site.pass(60 * DAY);
    let secret = '';
    await loseSession('carl', 'by code', async () => {
      ({ secret } = await site.switchOnCodes('carl'));
    });
    await logIn('carl');
    await isOn('/login/second-factor');
    await type('#code', new TOTP({ secret }).generate({ timestamp: site.now() }));
    await click(BUTTON);
    await addOnce('by code');
  });
});
