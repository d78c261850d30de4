/** What the pages of accounts say of themselves: to caches, in their titles, and about times. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { formTitle } from '../form/form-markup.ts';
import { html } from '../http/html.ts';
import type { Response } from '../http/response.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { totp } from '../totp/totp.ts';
import { createAccountSite, type Given, PASSWORD } from './accounts-site.fixture.ts';

async function open(t: TestContext, given: Given = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'accounts-'));
  const database = await openSqlite(join(folder, 'accounts.db'));
  t.after(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });
  return createAccountSite(database, { totp: totp(), ...given });
}

test('a page with secrets, sessions or the token of a link is in no cache', async (t) => {
  const { register, accounts } = await open(t);
  const ada = await register('ada');
  for (const path of [
    '/account',
    '/account/devices',
    '/account/second-factor',
    '/account/recovery-codes',
    '/people',
    '/people/1',
    await accounts.invite('reader'),
    '/password/new?token=x',
    '/login/link/open?token=x',
    '/account/email/confirm?token=x',
  ])
    assert.equal((await ada.get(path)).headers['Cache-Control'], 'no-store', path);
});

test('a log-out empties the cache of the browser', async (t) => {
  const { register } = await open(t);
  const ada = await register('ada');
  assert.equal((await ada.post('/logout')).headers['Clear-Site-Data'], '"cache"');
});

test('a layout gets the form, so a title says when there is an error', async (t) => {
  const { register, site } = await open(t, {
    layout: (title, main, { form }) => html`<title>${formTitle(title, form)}</title>${main}`,
  });
  const ada = await register('ada');
  const titleOf = (body: string) => /<title>(.*?)<\/title>/.exec(body)?.[1];
  const codes = await ada.get('/account/second-factor');
  assert.equal(titleOf(bodyText(codes)), 'Second factor');
  assert.equal(titleOf(bodyText(await ada.submit(codes, { code: '1' }))), 'Error: Second factor');
  const visitor = createVisitor(site);
  assert.equal(titleOf(bodyText(await visitor.submit('/login', {}))), 'Error: Log in');
});

test('times are in the zone of the site, and relative on the first day', async (t) => {
  let now = new Date('2026-06-01T12:00:00Z');
  const clock = () => now;
  const { register, site } = await open(t, {
    now: clock,
    site: { session: { now: clock } },
    timeZone: 'Europe/Berlin',
  });
  const ada = await register('ada');
  now = new Date('2026-06-01T12:05:00Z');
  const shown = bodyText(await ada.get('/account'));
  assert.match(
    shown,
    /<time datetime="2026-06-01T12:00:00\.000Z">Jun 1, 2026, 2:00\sPM GMT\+2<\/time> \(<time [^>]+>5 minutes ago<\/time>\)/,
  );
  now = new Date('2026-06-03T12:05:00Z');
  const visitor = createVisitor(site);
  await visitor.submit('/login', { username: 'ada', password: PASSWORD });
  assert.match(bodyText(await visitor.get('/account')), /2:00\sPM GMT\+2<\/time><\/td>/);
});

test('a time zone that does not exist is an error at start', async (t) => {
  await assert.rejects(open(t, { timeZone: 'Europe/Atlantis' }), {
    name: 'TypeError',
    message:
      'Cannot show times of accounts in the time zone "Europe/Atlantis": there is none of this name. Pass one such as \'Europe/Berlin\'.',
  });
});

test('a part or a page that does not exist is an error at start', async (t) => {
  // As JavaScript may pass it: the pages of people would be there.
  await assert.rejects(open(t, { without: ['persons' as 'people'] }), {
    name: 'TypeError',
    message:
      'Cannot create accounts with without: "persons": pass some of people, devices, delete, logInByMail, changeAddress.',
  });
  await assert.rejects(open(t, { pages: { login: () => html`` } as never }), /with pages: "login"/);
  await assert.rejects(open(t, { people: { seenBy: 'king' as 'admin' } }), {
    name: 'TypeError',
    message:
      'Cannot create accounts with people.seenBy: "king": pass some of reader, editor, admin.',
  });
});

test('names that are addresses are seen by the highest role alone', async (t) => {
  const given = { names: 'email', people: { seenBy: 'reader' } } as const;
  await assert.rejects(open(t, given), {
    name: 'TypeError',
    message:
      "Cannot show the people to each reader: the accounts log in with an address, so everybody's would be seen. Pass people.name, too.",
  });
  await open(t, { ...given, people: { seenBy: 'reader', name: ({ id }) => String(id) } });
  await open(t, { names: 'email', people: { seenBy: 'admin' } });
});

test('a page of its own may wait for what it reads', async (t) => {
  const draw = async ({ title }: { readonly title: string }) => html`<p>${title}, read later</p>`;
  const pages = { account: draw, linkGone: draw, mailSent: draw, people: draw };
  const { register } = await open(t, { pages });
  const ada = await register('ada');
  for (const [path, status, title] of [
    ['/account', 200, 'Your account'],
    ['/password/new?token=x', 404, 'This link does not work'],
    ['/mail-sent', 200, 'Check your email'],
    ['/people', 200, 'People'],
  ] as const) {
    const shown = await ada.get(path);
    assert.deepEqual([shown.status, bodyText(shown)], [status, `<p>${title}, read later</p>`]);
  }
});

test('the page of a person has the buttons that are of use now', async (t) => {
  const { register } = await open(t);
  const ada = await register('ada');
  await register('bob', 'reader');
  const buttons = async () =>
    [...bodyText(await ada.get('/people/2')).matchAll(/name="action" value="(\w+)"/g)].map(
      ([, value]) => value,
    );
  assert.deepEqual(await buttons(), ['role', 'link', 'disable']);
  await ada.submit('/people/2', { action: 'disable' });
  assert.deepEqual(await buttons(), ['role', 'enable']);
});

test('a device that was logged out meanwhile is not asked about again', async (t) => {
  const { register, site } = await open(t);
  const ada = await register('ada');
  const other = createVisitor(site);
  await other.submit('/login', { username: 'ada', password: PASSWORD });
  const [, id = ''] =
    /href="\/account\/devices\?id=(\w+)"/.exec(bodyText(await ada.get('/account/devices'))) ?? [];
  await other.post('/logout');
  assert.doesNotMatch(bodyText(await ada.get(`/account/devices?id=${id}`)), /<form/);
});

test('a form of a new password names its account to password managers', async (t) => {
  const nameIn = (page: Response) =>
    /<input type="text" value="([^"]*)" autocomplete="username" hidden>[\s\S]*type="password"/.exec(
      bodyText(page),
    )?.[1];
  const { accounts, register, site } = await open(t);
  const ada = await register('ada');
  assert.equal(nameIn(await ada.get('/account/password')), 'ada');
  const refused = await ada.submit('/account/password', { currentpassword: PASSWORD });
  assert.equal(nameIn(refused), 'ada');
  const link = await accounts.command(['password', 'ada']);
  const [path = ''] = /\/password\/new\S+/.exec(link) ?? [];
  assert.equal(nameIn(await createVisitor(site).get(path)), 'ada');
  const byAddress = await open(t, { names: 'email', publicOrigin: 'https://club.example' });
  const bob = createVisitor(byAddress.site);
  await bob.submit('/register/address', { email: 'bob@example.org' });
  assert.equal(nameIn(await bob.get(byAddress.linkOfMail())), 'bob@example.org');
});

test('a site writes times in its own way, on pages and in the message after a log-in', async (t) => {
  const now = () => new Date('2026-06-01T12:00:00Z');
  const formatTime = (at: Date) => `day ${at.getUTCDate()}`;
  const { register, site } = await open(t, { now, formatTime });
  const ada = await register('ada');
  assert.match(bodyText(await ada.get('/account')), />day 1<\/time>/);
  const newPassword = 'four words in a row';
  await ada.submit('/account/password', {
    ...{ currentpassword: PASSWORD, newpassword: newPassword, newpasswordagain: newPassword },
  });
  const visitor = createVisitor(site);
  await visitor.submit('/login', { username: 'ada', password: newPassword });
  assert.match(bodyText(await visitor.get('/')), /day 1: The password was changed\./);
});
