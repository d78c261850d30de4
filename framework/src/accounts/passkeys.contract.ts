/** Passkeys of accounts on each engine: alone, as the second factor, and refused. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { TOTP } from 'otpauth';
import type { Database } from '../database/database.ts';
import type { Response } from '../http/response.ts';
import { openId } from '../openid/open-id.ts';
import { passkeys } from '../passkeys/passkeys.ts';
import {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
  type WrongAnswer,
} from '../testing/authenticator.ts';
import { bodyText, createVisitor, type Visitor } from '../testing/visitor.ts';
import { totp } from '../totp/totp.ts';
import { createAccountSite, type Given, PASSWORD } from './accounts-site.fixture.ts';

const ORIGIN = 'https://club.example';
const MINUTE = 60_000;

export function describePasskeys(
  name: string,
  openDatabase: (t: TestContext) => Promise<Database>,
): void {
  const openSite = async (t: TestContext, given: Given = {}) => {
    let now = Date.parse('2026-06-01T12:00:00Z');
    const clock = () => new Date(now);
    const database = await openDatabase(t);
    const site = createAccountSite(database, {
      publicOrigin: ORIGIN,
      passkeys: passkeys({ name: 'Chess club' }),
      now: clock,
      site: { session: { now: clock } },
      ...given,
    });
    const pass = (milliseconds: number) => {
      now += milliseconds;
    };
    const kinds = () => site.events.map(({ kind }) => kind);
    const write = (sql: string) => database.write(({ run }) => run(sql));
    return { ...site, pass, kinds, write };
  };
  type Site = Awaited<ReturnType<typeof openSite>>;
  const story = (what: string, tell: (open: (given?: Given) => Promise<Site>) => Promise<void>) =>
    test(`${name}: ${what}`, (t) => tell((given) => openSite(t, given)));

  /** With the account of ada, who has a passkey. */
  const openWithPasskey = async (
    open: (given?: Given) => Promise<Site>,
    { key = {}, ...given }: Given & { readonly key?: AuthenticatorOptions } = {},
  ) => {
    const site = await open(given);
    const ada = await site.register('ada');
    const authenticator = createAuthenticator(key);
    const added = await answer(ada, '/account/passkeys', authenticator);
    assert.equal(added.status, 303, bodyText(added));
    return { ...site, ada, authenticator };
  };

  /** With a reader ada, who has a passkey that is no second factor. */
  const openReader = async (open: (given?: Given) => Promise<Site>, given: Given) => {
    const site = await open({ ...given, registration: 'open' });
    await site.register('root');
    const ada = await site.register('ada', 'reader');
    const authenticator = createAuthenticator();
    await answer(ada, '/account/passkeys', authenticator);
    return { ...site, ada, authenticator };
  };

  story(
    'a passkey logs in alone, and a form that waits is filled in and counts once',
    async (open) => {
      const { site, notes, kinds, authenticator } = await openWithPasskey(open);
      const visitor = createVisitor(site);
      const refused = await visitor.post('/notes', { note: 'not lost' });
      const [, logIn = ''] = /href="(\/login[^"]*)"/.exec(bodyText(refused)) ?? [];
      const shown = await visitor.get(logIn.replaceAll('&amp;', '&'));
      assert.match(bodyText(shown), /autocomplete="username webauthn"/);
      const form = await visitor.follow(await answer(visitor, shown, authenticator));
      assert.match(bodyText(form), /value="not lost"/);
      for (const _ of [1, 2])
        assert.equal((await visitor.submit(form, { note: 'not lost' })).status, 303);
      assert.deepEqual(notes, ['not lost']);
      assert.ok(kinds().includes('passkey added'));
      assert.match(bodyText(await visitor.get('/account')), /Logged in\. Passkey/);
    },
  );

  story('a double click is one log-in, also of a key that counts', async (open) => {
    const { site, authenticator, kinds } = await openWithPasskey(open, { key: { counts: true } });
    const visitor = createVisitor(site);
    const form = formOf(await visitor.get('/login'));
    const response = authenticator.answer(form, ORIGIN);
    const send = () => visitor.post(form.action, { ...form.fields, response });
    const answers = await Promise.all([send(), send()]);
    answers.push(await send());
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303, 303],
    );
    assert.match(bodyText(await visitor.get('/')), /Hello, ada/);
    assert.ok(!kinds().includes('passkey refused'));
    await visitor.post('/logout');
    assert.equal((await send()).status, 401, 'after a log-out');
  });

  story('two pages of one browser each have a question', async (open) => {
    const { site, authenticator } = await openWithPasskey(open);
    const visitor = createVisitor(site);
    const pages = [await visitor.get('/login'), await visitor.get('/login?next=%2Fnotes')];
    const answers = [];
    for (const page of pages) answers.push(await answer(visitor, page, authenticator));
    assert.deepEqual(
      answers.map(({ headers }) => headers['Location']),
      ['/', '/notes'],
    );
  });

  story('an answer counts once, for a minute', async (open) => {
    const { site, authenticator, pass } = await openWithPasskey(open);
    const visitor = createVisitor(site);
    const form = formOf(await visitor.get('/login'));
    const response = authenticator.answer(form, ORIGIN);
    const send = () => visitor.post(form.action, { ...form.fields, response });
    assert.equal((await send()).status, 303);
    // Another answer to the same question.
    const again = { ...form.fields, response: authenticator.answer(form, ORIGIN) };
    assert.equal((await visitor.post(form.action, again)).status, 401);
    pass(MINUTE + 1);
    assert.equal((await send()).status, 401);
    // Its question is another one's.
    const other = formOf(await visitor.get('/login/again'));
    const replayed = await visitor.post(other.action, { ...other.fields, response });
    assert.equal(replayed.status, 401);
  });

  story(
    'a question is answered by the browser that was asked, and not after a long time',
    async (open) => {
      const { site, authenticator, pass } = await openWithPasskey(open);
      const asked = createVisitor(site);
      const form = formOf(await asked.get('/login'));
      const thief = createVisitor(site);
      await thief.get('/login');
      const response = authenticator.answer(form, ORIGIN);
      const stolen = await thief.post(form.action, { ...form.fields, response });
      assert.equal(stolen.status, 401);
      assert.match(bodyText(await thief.get('/')), /Hello, visitor/);
      const changed = String(form.fields['asked']).replace(/\.(\d+)\./, (_, ends) => `.${ends}0.`);
      const longer = await asked.post(form.action, { ...form.fields, asked: changed, response });
      assert.equal(longer.status, 401);
      pass(31 * MINUTE);
      const late = await asked.post(form.action, { ...form.fields, response });
      assert.match(bodyText(late), /open for too long/);
      assert.equal((await answer(asked, late, authenticator)).status, 303, 'asked again at once');
    },
  );

  story('a question made by somebody else is not answered', async (open) => {
    const { site, authenticator } = await openWithPasskey(open);
    const visitor = createVisitor(site);
    const form = formOf(await visitor.get('/login'));
    const challenge = Buffer.alloc(32, 7).toString('base64url');
    const [, ends = '', signature = ''] = String(form.fields['asked']).split('.');
    const asked = [challenge, ends, signature].join('.');
    const response = authenticator.answer(form, ORIGIN, { challenge });
    assert.equal((await visitor.post(form.action, { asked, response })).status, 401);
  });

  const WRONG: readonly (readonly [string, WrongAnswer])[] = [
    ['another origin', { origin: 'https://clubs.example' }],
    ['another RP ID', { rpId: 'clubs.example' }],
    ['another challenge', { challenge: Buffer.alloc(32, 1).toString('base64url') }],
    ['a user who was not verified', { isUserVerified: false }],
    ['a changed signature', { signs: (data) => Buffer.concat([data, Buffer.of(0)]) }],
    ['the handle of another account', { userHandle: Buffer.alloc(32, 1).toString('base64url') }],
    ['no handle', { userHandle: null }],
  ];
  story('an answer that is wrong logs nobody in, and says nothing of the account', async (open) => {
    const { site, authenticator, events } = await openWithPasskey(open);
    const texts = new Set<string>();
    for (const [what, wrong] of WRONG) {
      const visitor = createVisitor(site);
      const refused = await answer(visitor, '/login', authenticator, wrong);
      assert.equal(refused.status, 401, what);
      assert.match(bodyText(await visitor.get('/')), /Hello, visitor/, what);
      texts.add(errorOf(refused));
    }
    // A passkey that no account has, and no answer at all.
    const stranger = createAuthenticator();
    const club = passkeys({ name: 'Chess club' });
    const user = { handle: Buffer.alloc(32, 3).toString('base64url'), name: 'eve' };
    stranger.answer(await club.toAdd({ origin: ORIGIN, user, existing: [] }), ORIGIN);
    texts.add(errorOf(await answer(createVisitor(site), '/login', stranger)));
    const visitor = createVisitor(site);
    const form = formOf(await visitor.get('/login'));
    texts.add(errorOf(await visitor.post(form.action, { ...form.fields, response: 'no' })));
    assert.deepEqual([...texts], ['The passkey was not accepted']);
    const failed = events.filter(
      ({ kind, detail }) => kind === 'log-in failed' && detail === 'passkey',
    );
    assert.equal(failed.length, WRONG.length + 2);
  });

  story('a passkey logs in to its own account, whatever handle it names', async (open) => {
    const { site, register, authenticator } = await openWithPasskey(open);
    const bob = await register('bob', 'editor');
    const his = createAuthenticator();
    assert.equal((await answer(bob, '/account/passkeys', his)).status, 303);
    const visitor = createVisitor(site);
    const form = formOf(await visitor.get('/login'));
    const { response: ofAda } = JSON.parse(authenticator.answer(form, ORIGIN));
    const wrong = { userHandle: ofAda.userHandle };
    assert.equal((await answer(visitor, '/login', his, wrong)).status, 401);
    assert.equal((await answer(visitor, '/login', his)).status, 303);
    assert.match(bodyText(await visitor.get('/')), /Hello, bob/);
  });

  story('a passkey that another account has is not added', async (open) => {
    const { site, register, authenticator } = await openWithPasskey(open);
    const bob = await register('bob', 'editor');
    // Without an attestation, only the challenge binds the answer to its account.
    const id = await idOf(site, authenticator);
    const form = formOf(await bob.get('/account/passkeys'), 'add');
    const made = JSON.parse(createAuthenticator().answer(form, ORIGIN));
    const stolen = makeKnown(made, id);
    const refused = await bob.post(form.action, { ...form.fields, response: stolen });
    assert.equal(refused.status, 409);
    assert.match(bodyText(refused), /already in use/);
  });

  story('a counter that goes back is refused, and its user is told', async (open) => {
    const { site, authenticator, kinds, ada, mails, linkOfMail } = await openWithPasskey(open, {
      key: { counts: true },
    });
    await ada.submit('/account/email', { email: 'ada@example.org' });
    await createVisitor(site).submit(linkOfMail(), {});
    const visitor = createVisitor(site);
    assert.equal((await answer(visitor, '/login', authenticator, { counter: 7 })).status, 303);
    for (const counter of [7, 6, 0]) {
      const copy = createVisitor(site);
      const refused = await answer(copy, '/login', authenticator, { counter });
      assert.equal(refused.status, 401, `${counter} after 7`);
    }
    assert.equal(kinds().filter((kind) => kind === 'passkey refused').length, 3);
    assert.match(mails.at(-1)?.text ?? '', /A passkey was refused/);
    assert.equal(
      (await answer(createVisitor(site), '/login', authenticator, { counter: 8 })).status,
      303,
    );
  });

  story(
    'a passkey that was removed logs nobody in, and other devices are logged out',
    async (open) => {
      const { site, authenticator, ada, kinds } = await openWithPasskey(open);
      const other = createVisitor(site);
      const form = formOf(await other.get('/login'));
      const response = authenticator.answer(form, ORIGIN);
      const send = () => other.post(form.action, { ...form.fields, response });
      assert.equal((await send()).status, 303);
      const waiting = createVisitor(site);
      const asked = await waiting.get('/login');
      await ada.submit(await openOne(ada), { action: 'remove' });
      assert.ok(kinds().includes('passkey removed'));
      assert.match(bodyText(await other.get('/')), /Hello, visitor/);
      assert.match(bodyText(await ada.get('/')), /Hello, ada/);
      assert.equal((await answer(waiting, asked, authenticator)).status, 401);
      assert.equal((await send()).status, 401, 'also of the double click');
    },
  );

  story('what has added a passkey once does not add it again', async (open) => {
    const { ada, register, ...rest } = await openWithPasskey(open);
    const key = createAuthenticator();
    const form = formOf(await ada.get('/account/passkeys'), 'add');
    const response = key.answer(form, ORIGIN);
    const send = (more = {}) => ada.post(form.action, { ...form.fields, response, ...more });
    const both = await Promise.all([send(), send()]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [303, 303],
    );
    assert.equal(
      (bodyText(await ada.get('/account/passkeys')).match(/passkeys\/one/g) ?? []).length,
      2,
    );
    await rest.write('delete from seeother_passkeys where account_id = 1');
    assert.equal((await send({ _once: '' })).status, 409);
    // The question of one account is not answered for another.
    const bob = await register('bob', 'reader');
    const asked = formOf(await ada.get('/account/passkeys'), 'add');
    const his = { ...formOf(await bob.get('/account/passkeys'), 'add').fields };
    const stolen = {
      ...his,
      asked: String(asked.fields['asked']),
      response: key.answer(asked, ORIGIN),
    };
    assert.equal((await bob.post('/account/passkeys', stolen)).status, 409);
  });

  story('a new passkey that is wrong is not added', async (open) => {
    const { ada } = await openWithPasskey(open);
    for (const wrong of [
      { origin: 'https://clubs.example' },
      { rpId: 'clubs.example' },
      { isUserVerified: false },
    ]) {
      const refused = await answer(ada, '/account/passkeys', createAuthenticator(), wrong);
      assert.equal(refused.status, 400);
      assert.match(bodyText(refused), /The passkey was not accepted/);
    }
    assert.equal(
      (bodyText(await ada.get('/account/passkeys')).match(/passkeys\/one/g) ?? []).length,
      1,
    );
  });

  story('a passkey has a name, which can be changed', async (open) => {
    const { ada } = await openWithPasskey(open, {
      key: { aaguid: 'bada5566-a7aa-401f-bd96-45619a55120d' },
    });
    assert.match(bodyText(await ada.get('/account/passkeys')), />1Password<\/a>/);
    await ada.submit(await openOne(ada), { action: 'rename', name: 'Blue key' });
    assert.match(bodyText(await ada.get('/account/passkeys')), />Blue key<\/a>/);
  });

  story('the last way in is not removed', async (open) => {
    const { ada, write } = await openWithPasskey(open, {
      providers: [
        openId({ id: 'company', name: 'Company', issuer: 'https://id.example', clientId: 'club' }),
      ],
    });
    await write("update seeother_accounts set password_hash = ''");
    // This company logs in no more.
    await write(
      "insert into seeother_identities values ('https://old.example', 'a', 1, '2026-06-01')",
    );
    const refused = await ada.submit(await openOne(ada), { action: 'remove' });
    assert.equal(refused.status, 409);
    assert.match(errorOf(refused), /This is your only way to log in/);
    assert.match(bodyText(await ada.get('/account/passkeys')), /passkeys\/one/);
    await write(
      "insert into seeother_identities values ('https://id.example', 'a', 1, '2026-06-01')",
    );
    assert.equal((await ada.submit(await openOne(ada), { action: 'remove' })).status, 303);
    assert.doesNotMatch(bodyText(await ada.get('/account/passkeys')), /passkeys\/one/);
  });

  story('a passkey that goes between its proof and the log-in logs nobody in', async (open) => {
    const engine = passkeys({ name: 'Chess club' });
    let meanwhile = async (): Promise<unknown> => null;
    const { site, ada, authenticator, write } = await openWithPasskey(open, {
      passkeys: {
        ...engine,
        async verifySignIn(answered) {
          const verified = await engine.verifySignIn(answered);
          await meanwhile();
          return verified;
        },
      },
    });
    await makeCodes(ada);
    await ada.submit('/account/passkeys/after-password', { asks: 'on' });
    await write('create table spare as select * from seeother_passkeys');
    meanwhile = () => write('delete from seeother_passkeys');
    const alone = createVisitor(site);
    assert.equal((await answer(alone, '/login', authenticator)).status, 401);
    await write('insert into seeother_passkeys select * from spare');
    const second = createVisitor(site);
    const begun = await second.submit('/login', { username: 'ada', password: PASSWORD });
    assert.equal((await answer(second, await second.follow(begun), authenticator)).status, 401);
    for (const visitor of [alone, second])
      assert.match(bodyText(await visitor.get('/')), /Hello, visitor/);
  });

  story('an account has at most 20 passkeys', async (open) => {
    const { ada, write } = await openWithPasskey(open);
    const rows = Array.from(
      { length: 18 },
      (_, index) => `('more-${index}', 1, 'More', '', 0, '', 0, '2026-06-01', null)`,
    );
    await write(`insert into seeother_passkeys values ${rows.join(', ')}`);
    const add = () => answer(ada, '/account/passkeys', createAuthenticator());
    assert.equal((await add()).status, 303);
    const refused = await add();
    assert.equal(refused.status, 409);
    assert.equal(errorOf(refused), 'Remove a passkey first: you have 20');
  });

  story('an account that is disabled does not log in', async (open) => {
    const { site, ada, register } = await openWithPasskey(open);
    const bob = await register('bob', 'editor');
    const key = createAuthenticator();
    await answer(bob, '/account/passkeys', key);
    const visitor = createVisitor(site);
    const asked = await visitor.get('/login');
    await ada.submit('/people/2', { action: 'disable' });
    assert.equal((await answer(visitor, asked, key)).status, 401);
    assert.match(bodyText(await visitor.get('/')), /Hello, visitor/);
  });

  story('passkeys are added and removed soon after a log-in only', async (open) => {
    const { ada, pass, site, authenticator } = await openWithPasskey(open);
    const one = await openOne(ada);
    const form = formOf(await ada.get('/account/passkeys'), 'add');
    pass(11 * MINUTE);
    assert.equal((await ada.submit(one, { action: 'remove' })).status, 401);
    const response = createAuthenticator().answer(form, ORIGIN);
    assert.equal((await ada.post(form.action, { ...form.fields, response })).status, 401);
    const again = await ada.get('/account/passkeys');
    assert.match(String(again.headers['Location']), /^\/login\/again\?next=/);
    const before = ada.cookie('sid');
    const back = await answer(ada, await ada.follow(again), authenticator);
    assert.equal(back.headers['Location'], '/account/passkeys');
    assert.notEqual(ada.cookie('sid'), before, 'another session');
    assert.equal((await ada.get('/account/passkeys')).status, 200);
    assert.equal((await createVisitor(site).get('/account/passkeys')).status, 303);
  });

  story('too many wrong answers from a network wait, and passwords go on', async (open) => {
    const { site, authenticator } = await openWithPasskey(open);
    const visitor = createVisitor(site);
    const statuses = new Set<number>();
    for (let count = 0; count < 31; count++) {
      const wrong = { origin: 'https://clubs.example' };
      statuses.add((await answer(visitor, '/login', authenticator, wrong)).status);
    }
    assert.deepEqual([...statuses], [401, 429]);
    const typed = { username: 'ada', password: PASSWORD };
    assert.equal((await visitor.submit('/login', typed)).status, 303);
  });

  story('behind a password, a passkey or a recovery code is asked for', async (open) => {
    const { site, ada, authenticator, notes, kinds } = await openWithPasskey(open, {
      key: { counts: true },
    });
    const page = '/account/passkeys/after-password';
    const early = await ada.submit(page, { asks: 'on' });
    assert.equal(early.status, 409);
    const codes = await makeCodes(ada);
    assert.equal((await ada.submit(page, { asks: 'on' })).status, 303);
    assert.ok(kinds().includes('second factor added'));

    const visitor = createVisitor(site);
    const refused = await visitor.post('/notes', { note: 'not lost' });
    const [, logIn = ''] = /href="(\/login[^"]*)"/.exec(bodyText(refused)) ?? [];
    const typed = { username: 'ada', password: PASSWORD };
    const first = await visitor.submit(logIn.replaceAll('&amp;', '&'), typed);
    assert.match(String(first.headers['Location']), /^\/login\/second-factor\?next=/);
    assert.match(bodyText(await visitor.get('/')), /Hello, visitor/);
    const shown = await visitor.follow(first);
    assert.doesNotMatch(bodyText(shown), /name="code"/);
    const wrong = await answer(visitor, shown, authenticator, { isUserVerified: false });
    assert.equal(wrong.status, 401);
    const form = formOf(wrong);
    const stranger = createAuthenticator();
    const response = authenticator.answer(form, ORIGIN, { userHandle: null });
    const send = () => visitor.post(form.action, { ...form.fields, response });
    const both = await Promise.all([send(), send()]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [303, 303],
    );
    const filled = await visitor.follow(both[1] as Response);
    assert.match(bodyText(filled), /value="not lost"/);
    await visitor.submit(filled, { note: 'not lost' });
    assert.deepEqual(notes, ['not lost']);

    // Another browser has no waiting log-in, and its own does not take this answer.
    const thief = createVisitor(site);
    assert.equal((await thief.post(form.action, { ...form.fields, response })).status, 303);
    assert.match(bodyText(await thief.get('/')), /Hello, visitor/);
    await thief.submit('/login', typed);
    assert.equal((await thief.post(form.action, { ...form.fields, response })).status, 401);
    assert.throws(() => stranger.answer(form, ORIGIN));
    const recovered = await thief.submit('/login/recovery-code', { code: codes[0] ?? '' });
    assert.equal(recovered.status, 303);
    assert.match(bodyText(await thief.get('/')), /Hello, ada/);
  });

  story('an answer to one log-in that waits does not end another one', async (open) => {
    const { site, ada, authenticator } = await openWithPasskey(open);
    await makeCodes(ada);
    await ada.submit('/account/passkeys/after-password', { asks: 'on' });
    const begin = async () => {
      const visitor = createVisitor(site);
      const first = await visitor.submit('/login', { username: 'ada', password: PASSWORD });
      return { visitor, form: formOf(await visitor.follow(first)) };
    };
    const [{ visitor, form }, thief] = [await begin(), await begin()];
    const answered = { ...form.fields, response: authenticator.answer(form, ORIGIN) };
    const stolen = await thief.visitor.post(form.action, answered);
    assert.equal(stolen.status, 401);
    assert.match(bodyText(await thief.visitor.get('/')), /Hello, visitor/);
    assert.equal((await visitor.post(form.action, answered)).status, 303);
  });

  story('the second factor takes no passkey of another account', async (open) => {
    const { site, ada, register } = await openWithPasskey(open);
    await makeCodes(ada);
    await ada.submit('/account/passkeys/after-password', { asks: 'on' });
    const bob = await register('bob', 'editor');
    const his = createAuthenticator();
    await answer(bob, '/account/passkeys', his);
    await makeCodes(bob);
    await bob.submit('/account/passkeys/after-password', { asks: 'on' });
    const own = createVisitor(site);
    const begun = await own.submit('/login', { username: 'bob', password: PASSWORD });
    const ofBob = formOf(await own.follow(begun));
    const thief = createVisitor(site);
    const first = await thief.submit('/login', { username: 'ada', password: PASSWORD });
    const form = formOf(await thief.follow(first));
    const { challenge } = JSON.parse(form.options);
    const response = his.answer(ofBob, ORIGIN, { challenge });
    assert.equal((await thief.post(form.action, { ...form.fields, response })).status, 401);
    const unnamed = his.answer(ofBob, ORIGIN, { challenge, userHandle: null });
    assert.equal(
      (await thief.post(form.action, { ...form.fields, response: unnamed })).status,
      401,
    );
    assert.match(bodyText(await thief.get('/')), /Hello, visitor/);
  });

  story('a log-in that waits ends with the passkey that is removed', async (open) => {
    const { site, ada, authenticator, kinds } = await openWithPasskey(open, {
      key: { counts: true },
    });
    await makeCodes(ada);
    await ada.submit('/account/passkeys/after-password', { asks: 'on' });
    const visitor = createVisitor(site);
    const logIn = () => visitor.submit('/login', { username: 'ada', password: PASSWORD });
    const copied = await answer(visitor, await visitor.follow(await logIn()), authenticator, {
      counter: 5,
    });
    assert.equal(copied.status, 303);
    const thief = createVisitor(site);
    const begun = await thief.submit('/login', { username: 'ada', password: PASSWORD });
    const waiting = await thief.follow(begun);
    assert.equal((await answer(thief, waiting, authenticator, { counter: 5 })).status, 401);
    assert.ok(kinds().includes('passkey refused'));
    await ada.submit(await openOne(ada), { action: 'remove' });
    const late = await answer(thief, waiting, authenticator, { counter: 9 });
    assert.equal(late.headers['Location'], '/login');
    assert.match(bodyText(await thief.get('/')), /Hello, visitor/);
    // With the last passkey, nothing is left to ask for.
    assert.equal((await logIn()).headers['Location'], '/');
  });

  story(
    'one-time codes stay asked for behind a password, not behind a passkey that knows its user',
    async (open) => {
      const { site, ada, authenticator, pass } = await openWithPasskey(open, {
        totp: totp(),
        secrets: 'a secret of this test, with enough characters',
      });
      const form = await ada.get('/account/second-factor');
      const [, key = ''] = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(bodyText(form)) ?? [];
      const code = () =>
        new TOTP({ secret: key.replaceAll(' ', '') }).generate({
          timestamp: Date.parse('2026-06-01T12:00:00Z'),
        });
      assert.equal((await ada.submit(form, { code: code() })).status, 303);
      const visitor = createVisitor(site);
      const weak = await answer(visitor, '/login', authenticator, { isUserVerified: false });
      assert.equal(weak.status, 401);
      const typed = { username: 'ada', password: PASSWORD };
      const first = await visitor.submit('/login', typed);
      assert.equal(first.headers['Location'], '/login/second-factor');
      const shown = await visitor.follow(first);
      assert.match(bodyText(shown), /name="code"[\s\S]*data-passkey="sign-in"/);
      const weakSecond = await answer(visitor, shown, authenticator, { isUserVerified: false });
      assert.equal(weakSecond.status, 401);
      assert.match(bodyText(weakSecond), /name="code"/);
      assert.equal((await answer(visitor, weakSecond, authenticator)).status, 303);
      const other = createVisitor(site);
      assert.equal((await answer(other, '/login', authenticator)).headers['Location'], '/');
      // Switched off, the passkey stays.
      pass(1_000);
      assert.equal((await ada.submit('/account/second-factor/off', {})).status, 303);
      assert.equal((await createVisitor(site).submit('/login', typed)).headers['Location'], '/');
      assert.equal((await answer(createVisitor(site), '/login', authenticator)).status, 303);
    },
  );

  story('a role that needs a second factor gets one by a passkey, and keeps it', async (open) => {
    const { site, register } = await open({ secondFactorFor: ['admin'] });
    const ada = await register('ada');
    const forced = await ada.get('/danger');
    assert.equal(forced.headers['Location'], '/account/passkeys?next=%2Fdanger');
    const page = await ada.follow(forced);
    assert.match(bodyText(page), /Your role needs a second factor/);
    const key = createAuthenticator();
    const added = await answer(ada, page, key);
    assert.equal(added.headers['Location'], '/account/recovery-codes?next=%2Fdanger');
    assert.equal((await ada.get('/danger')).status, 200);
    const kept = await ada.submit(await ada.follow(added), {});
    assert.equal(kept.headers['Location'], '/danger');
    const more = await ada.get('/account/passkeys');
    assert.doesNotMatch(bodyText(more), /Your role needs a second factor/);
    assert.equal((await ada.submit('/account/passkeys/after-password', {})).status, 409);
    assert.equal((await ada.submit(await openOne(ada), { action: 'remove' })).status, 409);
    const visitor = createVisitor(site);
    const first = await visitor.submit('/login', { username: 'ada', password: PASSWORD });
    assert.equal(first.headers['Location'], '/login/second-factor');
    assert.equal((await answer(visitor, await visitor.follow(first), key)).status, 303);
    // A second one may replace the first.
    assert.equal((await answer(ada, '/account/passkeys', createAuthenticator())).status, 303);
    assert.equal((await ada.submit(await openOne(ada), { action: 'remove' })).status, 303);
    assert.equal((await ada.get('/danger')).status, 200);
  });

  story('a passkey is the second factor of a role that is given later', async (open) => {
    const given = { secondFactorFor: ['admin'], totp: totp() } as const;
    const { accounts, site, ada, authenticator } = await openReader(open, given);
    await accounts.command(['role', 'ada', 'admin']);
    // The session may have proved the password alone.
    assert.equal((await ada.get('/people')).headers['Location'], '/login?next=%2Fpeople');
    const byPassword = createVisitor(site);
    const typed = { username: 'ada', password: PASSWORD };
    const first = await byPassword.submit('/login?next=%2Fpeople', typed);
    assert.equal(first.headers['Location'], '/login/second-factor?next=%2Fpeople');
    const second = await answer(byPassword, await byPassword.follow(first), authenticator);
    assert.equal((await byPassword.follow(second)).status, 200);
    const byPasskey = createVisitor(site);
    await answer(byPasskey, '/login', authenticator);
    assert.equal((await byPasskey.get('/people')).status, 200);
  });

  story('and of a role that needs one from now on', async (open) => {
    const given = { secondFactorFor: ['admin'], totp: totp() } as const;
    const { site, ada, authenticator, write } = await openReader(open, given);
    // As if the site had not said it when the role was given.
    await write(`update seeother_accounts set role = 'admin' where username = 'ada'`);
    assert.match(bodyText(await ada.follow(await ada.get('/people'))), /needs a second factor/);
    const byPasskey = createVisitor(site);
    await answer(byPasskey, '/login', authenticator);
    assert.equal((await byPasskey.get('/people')).status, 200);
    const byPassword = createVisitor(site);
    const typed = { username: 'ada', password: PASSWORD };
    const first = await byPassword.submit('/login', typed);
    assert.equal(first.headers['Location'], '/login/second-factor');
  });

  story(
    'for such a role, a passkey goes on to be asked for without one-time codes',
    async (open) => {
      const { site, ada, authenticator, pass } = await openWithPasskey(open, {
        secondFactorFor: ['admin'],
        totp: totp(),
        secrets: 'a secret of this test, with enough characters',
      });
      await makeCodes(ada);
      const form = await ada.get('/account/second-factor');
      const [, key = ''] = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(bodyText(form)) ?? [];
      const code = new TOTP({ secret: key.replaceAll(' ', '') }).generate({
        timestamp: Date.parse('2026-06-01T12:00:00Z'),
      });
      assert.equal((await ada.submit(form, { code })).status, 303);
      pass(1_000);
      assert.equal((await ada.submit('/account/second-factor/off', {})).status, 303);
      assert.equal((await ada.get('/danger')).status, 200);
      const visitor = createVisitor(site);
      const begun = await visitor.submit('/login', { username: 'ada', password: PASSWORD });
      assert.equal(begun.headers['Location'], '/login/second-factor');
      const shown = await visitor.follow(begun);
      assert.doesNotMatch(bodyText(shown), /name="code"/);
      assert.equal((await answer(visitor, shown, authenticator)).status, 303);
      const [, recovery = ''] = /<li><code>([A-Z-]+)<\/code>/.exec(bodyText(form)) ?? [];
      const without = createVisitor(site);
      await without.submit('/login', { username: 'ada', password: PASSWORD });
      assert.equal((await without.submit('/login/recovery-code', { code: recovery })).status, 303);
    },
  );

  story(
    'an administrator takes passkeys away with the second factor, and the user is told',
    async (open) => {
      const { site, ada, register, events } = await openWithPasskey(open);
      const bob = await register('bob', 'editor');
      const key = createAuthenticator();
      await answer(bob, '/account/passkeys', key);
      assert.equal((await ada.submit('/people/2', { action: 'factors' })).status, 303);
      assert.equal((await answer(createVisitor(site), '/login', key)).status, 401);
      assert.match(bodyText(await bob.get('/')), /Hello, visitor/);
      const told = events.find(({ kind }) => kind === 'second factor removed');
      assert.deepEqual([told?.account?.id, told?.by], [2, 'ada']);
    },
  );

  story(
    'where browsers have no passkeys, nothing is shown, and nothing is stored',
    async (open) => {
      const { register } = await open({ publicOrigin: 'http://192.0.2.1' });
      const ada = await register('ada');
      assert.doesNotMatch(bodyText(await ada.get('/account')), /passkey/i);
      const shown = await ada.get('/account/passkeys');
      assert.doesNotMatch(bodyText(shown), /data-passkey/);
      const visitor = createVisitor((await open()).site);
      const plain = await visitor.get('/login', { headers: { host: 'localhost' } });
      assert.match(bodyText(plain), /data-passkey-conditional/);
      await ada.post('/logout');
      const logIn = await ada.get('/login');
      assert.doesNotMatch(bodyText(logIn), /data-passkey/);
      assert.equal(ada.cookie('passkey'), null);
    },
  );

  story('related origins stand at their address', async (open) => {
    const { site } = await open({
      passkeys: passkeys({ name: 'Chess club', origins: ['https://chess.example'] }),
    });
    const related = await createVisitor(site).get('/.well-known/webauthn');
    assert.deepEqual(JSON.parse(bodyText(related)), { origins: ['https://chess.example'] });
    await assert.rejects(
      open({ passkeys: passkeys({ name: 'Chess club', id: 'chess.example' }) }),
      /Cannot use these passkeys at https:\/\/club\.example/,
    );
  });
}

interface AskedForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly options: string;
}

/** The form of the page that asks for a passkey. */
function formOf(page: Response, asks: 'add' | 'sign-in' = 'sign-in'): AskedForm {
  const form = new RegExp(
    `<form method="post" action="([^"]*)" data-passkey="${asks}" data-options="([^"]+)"[\\s\\S]*?</form>`,
  ).exec(bodyText(page));
  assert.ok(form !== null, `the page ${page.status} has no form of a passkey: ${bodyText(page)}`);
  const [markup, action = '', options = ''] = form;
  const hidden = [...markup.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return {
    action: readMarkup(action),
    options: readMarkup(options),
    fields: Object.fromEntries(
      hidden.map(([, name = '', value = '']) => [name, readMarkup(value)]),
    ),
  };
}

function readMarkup(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

async function answer(
  visitor: Visitor,
  page: string | Response,
  authenticator: Authenticator,
  wrong: WrongAnswer = {},
): Promise<Response> {
  const shown = typeof page === 'string' ? await visitor.get(page) : page;
  const form = formOf(shown, bodyText(shown).includes('data-passkey="add"') ? 'add' : 'sign-in');
  const response = authenticator.answer(form, ORIGIN, wrong);
  return visitor.post(form.action, { ...form.fields, response });
}

/** The page of the first passkey. */
async function openOne(visitor: Visitor): Promise<Response> {
  const list = bodyText(await visitor.get('/account/passkeys'));
  const [path = ''] = /\/account\/passkeys\/one\?id=\w+/.exec(list) ?? [];
  return visitor.get(path);
}

async function makeCodes(visitor: Visitor): Promise<readonly string[]> {
  const form = await visitor.get('/account/recovery-codes');
  const codes = [...bodyText(form).matchAll(/<li><code>([A-Z-]+)<\/code>/g)];
  assert.equal((await visitor.submit(form, {})).status, 303);
  return codes.map(([, code = '']) => code);
}

/** The id of the passkey, as everybody may know it. */
async function idOf(
  site: Parameters<typeof createVisitor>[0],
  authenticator: Authenticator,
): Promise<string> {
  const form = formOf(await createVisitor(site).get('/login'));
  return JSON.parse(authenticator.answer(form, ORIGIN)).id;
}

/** The answer with another id, which has as many bytes, in place of its own. */
function makeKnown(
  { id, type, response }: { id: string; type: string; response: Record<string, string> },
  known: string,
): string {
  const bytes = Buffer.from(String(response['attestationObject']), 'base64url');
  Buffer.from(known, 'base64url').copy(bytes, bytes.indexOf(Buffer.from(id, 'base64url')));
  const attestationObject = bytes.toString('base64url');
  return JSON.stringify({ id: known, type, response: { ...response, attestationObject } });
}

function errorOf(page: Response): string {
  const [, summary = ''] = /role="alert"[\s\S]*?<li>([^<]*)/.exec(bodyText(page)) ?? [];
  return summary;
}
