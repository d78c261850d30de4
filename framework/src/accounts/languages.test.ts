/** The pages, mails, errors and events of accounts in German and French, told as the story of two people. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { TOTP } from 'otpauth';
import type { Response } from '../http/response.ts';
import { english } from '../language/english.ts';
import { french } from '../language/french.ts';
import { german } from '../language/german.ts';
import { passkeys } from '../passkeys/passkeys.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { createAuthenticator } from '../testing/authenticator.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { totp } from '../totp/totp.ts';
import { createAccountSite, PASSWORD, type Role } from './accounts-site.fixture.ts';

for (const language of [german, french]) {
  const { accounts: texts } = language.words;
  const changed = Object.entries(texts ?? {}).filter(([text, translated]) => text !== translated);
  const englishTexts = changed.map(
    ([text]) => new RegExp(`^${RegExp.escape(text).replaceAll(/\\\{\w+\\\}/g, '.+')}$`),
  );
  /** What stands between two tags, and in labels for screen readers. */
  const assertNoEnglish = (markup: string, where: string) => {
    const pieces = [
      ...markup.split(/<[^>]*>|\n/),
      ...[...markup.matchAll(/aria-label="([^"]*)"/g)].map(([, label = '']) => label),
    ].map((piece) => piece.trim());
    const left = pieces.filter((piece) => englishTexts.some((text) => text.test(piece)));
    assert.deepEqual(left, [], where);
  };

  test(`accounts speak ${language.code}`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'accounts-'));
    const database = await openSqlite(join(folder, 'accounts.db'));
    t.after(async () => {
      await database.close();
      rmSync(folder, { recursive: true });
    });
    let now = Date.parse('2026-06-01T12:00:00Z');
    const clock = () => new Date(now);
    const { site, mails, accounts, linkOfMail } = createAccountSite(database, {
      totp: totp(),
      passkeys: passkeys({ name: 'Chess club' }),
      publicOrigin: 'https://localhost',
      registration: 'first',
      people: { seenBy: 'editor', name: ({ name }) => name.toUpperCase() },
      now: clock,
      site: { languages: [english, language], session: { now: clock } },
    });
    const headers = { 'accept-language': language.code };
    const open = () => createVisitor(site, { headers });
    const shown = async (answer: Response | Promise<Response>, where: string) => {
      const text = bodyText(await answer);
      assertNoEnglish(text, where);
      return text;
    };
    const say = (text: keyof NonNullable<typeof texts>) => texts?.[text] ?? '';
    const register = async (username: string, role?: Role) => {
      const visitor = open();
      const path = role === undefined ? '/register' : await accounts.invite(role);
      await shown(visitor.get(path), 'register');
      const fields = { username, password: PASSWORD, passwordagain: PASSWORD };
      assert.equal((await visitor.submit(path, fields)).status, 303);
      return visitor;
    };

    const ada = await register('ada');
    const bob = await register('bob', 'editor');
    await ada.submit('/account/email', { email: 'ada@example.org' });
    await ada.submit(linkOfMail(), {});

    const visitor = open();
    const closed = await shown(visitor.get('/register'), 'closed');
    assert.ok(closed.includes(say('You cannot register here')));
    const empty = await shown(visitor.submit('/login', {}), 'nothing typed');
    assert.ok(empty.includes(say('Enter your username')));
    const wrong = await shown(
      visitor.submit('/login', { username: 'ada', password: 'x' }),
      'wrong password',
    );
    assert.ok(wrong.includes(say('Username or password is incorrect')));
    await shown(visitor.post('/notes', { note: 'x' }), '401');
    await shown(bob.get('/people/1'), '403');
    for (const path of ['/people', '/account']) await shown(bob.get(path), `${path} of an editor`);
    for (const path of ['/login', '/login/link', '/password/forgot', '/mail-sent'])
      await shown(visitor.get(path), path);
    await shown(visitor.get('/password/new?token=x'), 'link gone');
    await shown(visitor.get('/register?token=x'), 'invitation gone');

    await visitor.submit('/login/link', { email: 'ada@example.org' });
    await shown(open().get(linkOfMail()), 'link elsewhere');
    await shown(visitor.get(linkOfMail()), 'link');
    await visitor.submit('/login/link', { email: 'nobody@example.org' });
    await visitor.submit('/password/forgot', { email: 'nobody@example.org' });
    await visitor.submit('/password/forgot', { email: 'ada@example.org' });
    const weak = await visitor.submit(linkOfMail(), { password: 'x', passwordagain: 'y' });
    await shown(weak, 'weak password');

    const list = await ada.get('/account/passkeys');
    await shown(list, 'no passkeys');
    await shown(ada.submit(list, { response: 'x' }), 'no answer');
    const [, asked = ''] = /data-options="([^"]+)"/.exec(bodyText(list)) ?? [];
    const question = { options: asked.replaceAll('&quot;', '"') };
    const response = createAuthenticator().answer(question, 'https://localhost');
    assert.equal((await ada.submit(list, { response })).status, 303);
    const filled = await shown(ada.get('/account/passkeys'), 'passkeys');
    const [one = ''] = /\/account\/passkeys\/one\?id=\w+/.exec(filled) ?? [];
    await shown(ada.get(one), 'a passkey');
    await shown(ada.get('/account/passkeys/after-password'), 'passkey behind the password');
    await shown(ada.submit('/account/passkeys/after-password', { asks: 'on' }), 'no codes');
    await shown(visitor.post('/login/passkey', { asked: 'x', response: 'x' }), 'expired');

    const codes = await ada.get('/account/second-factor');
    const [, key = ''] = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(await shown(codes, 'codes')) ?? [];
    await shown(ada.submit(codes, { code: '1' }), 'wrong code');
    const code = new TOTP({ secret: key.replaceAll(' ', '') }).generate({ timestamp: now });
    assert.equal((await ada.submit(codes, { code })).status, 303);
    for (const path of [
      '/account',
      '/account/password',
      '/account/email',
      '/account/devices',
      '/account/second-factor',
      '/account/second-factor/off',
      '/account/recovery-codes',
      '/account/delete',
      '/people',
      '/people/2',
      '/login/again',
    ])
      await shown(ada.get(path), path);
    await shown(ada.get('/people/99'), '404');
    await shown(ada.submit('/account/delete', {}), 'the only administrator');
    await shown(ada.submit('/people/1', { action: 'disable' }), 'the only administrator');
    for (const action of ['link', 'factors', 'disable', 'role'])
      await shown(ada.follow(await ada.submit('/people/2', { action, role: 'reader' })), action);
    await shown(ada.follow(await ada.submit('/people', { to: 'eve@example.org' })), 'invited');

    now += 60_000;
    const again = open();
    await again.submit('/login', { username: 'ada', password: PASSWORD });
    await shown(again.get('/login/second-factor'), 'second factor');
    await shown(again.submit('/login/second-factor', { code: '1' }), 'wrong second factor');
    await shown(again.get('/login/recovery-code'), 'recovery code');
    await shown(again.submit('/login/recovery-code', { code: 'x' }), 'wrong recovery code');

    const changed = { currentpassword: PASSWORD, newpassword: 'quite another one' };
    await ada.submit('/account/password', {
      ...changed,
      newpasswordagain: changed.newpassword,
    });
    const account = await shown(ada.get('/account'), 'after the password');
    assert.ok(account.includes(say('The password was changed.')));
    now += 3_600_000;
    await shown(ada.follow(await ada.get('/danger')), 'log in again');

    assert.ok(mails.length >= 7, String(mails.length));
    for (const { subject, text } of mails) assertNoEnglish(`${subject}\n${text}`, subject);
    assert.ok(
      mails.some(
        ({ subject }) =>
          subject === say('A new password for {site}').replace('{site}', 'localhost'),
      ),
    );
  });
}
