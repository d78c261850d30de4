/** The page of one's own account. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor, type Visitor } from 'seeother/testing';
import { toKey } from '../models/token.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
  setCookieOf,
} from '../testing/create-test-application.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const CHANGE = { currentpassword: PASSWORD, newpassword: 'battery staple' };

/** The public ids of the sessions that have a button, in the order of the page. */
async function otherSessions(visitor: Visitor): Promise<readonly string[]> {
  const markup = bodyText(await visitor.get('/account'));
  const forms = markup.matchAll(
    /sessions\/end">\s*<input type="hidden" name="id" value="([^"]*)"/g,
  );
  return [...forms].map(([, id = '']) => id);
}

test('the account page says who I am and where I am logged in', async (t) => {
  const application = await createTestApplication(t);
  const here = await createMember(application);
  const there = createVisitor(application);
  const headers = { 'user-agent': FIREFOX };
  const ada = { username: 'ada', password: PASSWORD };
  await there.post('/login', ada, { headers, address: '192.0.2.7' });
  const markup = bodyText(await here.get('/account'));
  assert.match(markup, /Your username is <strong>ada<\/strong>/);
  assert.match(
    markup,
    />Firefox on Linux<\/strong><\/p>\n<p class="details">Address 192\.0\.2\.7\./,
  );
  assert.match(markup, />A browser<\/strong> <span class="this">this one<\/span>/);
  assert.match(markup, /aria-current="page">Account<\/a>/);
  assert.equal((await otherSessions(here)).length, 1);
});

test('no page holds the key of a session, nor a part of it', async (t) => {
  const application = await createTestApplication(t);
  const here = await createMember(application);
  const there = await createMember(application);
  const markup = bodyText(await here.get('/account'));
  for (const visitor of [here, there]) {
    const key = toKey(visitor.cookie('sid') ?? '');
    const [id = ''] = await otherSessions(visitor === here ? there : here);
    assert.equal(key.includes(id), false);
    for (let at = 0; at + 10 <= key.length; at++)
      assert.equal(markup.includes(key.slice(at, at + 10)), false);
  }
});

test('another session is ended by its button, and only that one', async (t) => {
  const application = await createTestApplication(t);
  const [here, there] = [await createMember(application), await createMember(application)];
  const third = await createMember(application);
  const [first = ''] = await otherSessions(here);
  const answer = await here.post('/account/sessions/end', { id: first });
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/account');
  assert.match(bodyText(await here.follow(answer)), /role="status">Logged out there\.</);
  const statuses = await Promise.all(
    [here, there, third].map(async (one) => (await one.get('/account')).status),
  );
  assert.deepEqual([statuses[0], ...statuses.slice(1).toSorted()], [200, 200, 303]);
  const again = await here.follow(await here.post('/account/sessions/end', { id: first }));
  assert.match(bodyText(again), /That was logged out already\./);
});

test("nobody can end somebody else's session", async (t) => {
  const application = await createTestApplication(t);
  const [ada, bo] = [await createMember(application), await createMember(application, 'bob')];
  const second = await createMember(application, 'bob');
  const ids = [...(await otherSessions(bo)), ...(await otherSessions(second))];
  assert.equal(ids.length, 2);
  const keys = [toKey(bo.cookie('sid') ?? ''), bo.cookie('sid') ?? ''];
  for (const id of [...ids, ...keys, '']) await ada.post('/account/sessions/end', { id });
  await ada.post('/account/sessions/end-others');
  for (const one of [bo, second]) assert.equal((await one.get('/account')).status, 200);
});

test('the form to end this very session logs out', async (t) => {
  const application = await createTestApplication(t);
  const [here, there] = [await createMember(application), await createMember(application)];
  const [id = ''] = await otherSessions(there);
  const answer = await here.post('/account/sessions/end', { id });
  assert.equal(headerOf(answer, 'Location'), '/login');
  assert.equal(here.cookie('sid'), null);
});

test('"Log out everywhere else" leaves this session alone', async (t) => {
  const application = await createTestApplication(t);
  const [here, there] = [await createMember(application), await createMember(application)];
  const answer = await here.post('/account/sessions/end-others');
  assert.match(bodyText(await here.follow(answer)), /Logged out everywhere else\./);
  assert.equal((await there.get('/account')).status, 303);
  assert.doesNotMatch(bodyText(await here.get('/account')), /Log out everywhere else/);
});

test('a password is changed by who knows the current one, and the session gets a new id', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const old = member.cookie('sid');
  const answer = await member.submit('/account', CHANGE);
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/account');
  assert.match(setCookieOf(answer, 'sid') ?? '', /^sid=[\w-]{43};/);
  assert.notEqual(member.cookie('sid'), old);
  assert.match(bodyText(await member.follow(answer)), /Your password was changed/);
  const logIn = (password: string) =>
    createVisitor(application).post('/login', { username: 'ada', password });
  assert.equal((await logIn(PASSWORD)).status, 401);
  assert.equal((await logIn(CHANGE.newpassword)).status, 303);
});

test('the same change a second time, with the old id, ends as the first one did', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const twice = { headers: { cookie: `sid=${member.cookie('sid')}` } };
  for (const _time of ['first', 'second']) {
    const visitor = createVisitor(application);
    const answer = await visitor.post('/account/password', CHANGE, twice);
    assert.equal(answer.status, 303);
    assert.match(bodyText(await visitor.follow(answer)), /Your password was changed/);
  }
});

test('the same change twice at once leaves both answers logged in', async (t) => {
  const { promise: bothAreKnown, resolve } = Promise.withResolvers<void>();
  let known = 0;
  const application = await createTestApplication(t, {
    replace: ({ accounts }) => ({
      accounts: {
        ...accounts,
        async changePassword(...change) {
          if (++known === 2) resolve();
          await bothAreKnown;
          return accounts.changePassword(...change);
        },
      },
    }),
  });
  const member = await createMember(application);
  const same = { headers: { cookie: `sid=${member.cookie('sid')}` } };
  const visitors = [createVisitor(application), createVisitor(application)];
  const answers = visitors.map((visitor) => visitor.post('/account/password', CHANGE, same));
  for (const [index, answer] of (await Promise.all(answers)).entries()) {
    assert.equal(headerOf(answer, 'Location'), '/account');
    assert.equal((await visitors[index]?.get('/account'))?.status, 200, `answer ${index}`);
  }
});

test('a change with a mistake is a 400 with the error on its field, and changes nothing', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application, 'ada.lovelace');
  const sid = member.cookie('sid');
  const mistakes = [
    [{ currentpassword: 'wrong', newpassword: 'battery staple' }, 'currentpassword', 'Enter the'],
    [
      { currentpassword: '', newpassword: 'battery staple' },
      'currentpassword',
      'Enter your current',
    ],
    [{ ...CHANGE, newpassword: 'short' }, 'newpassword', 'New password must be 8 characters or'],
    [{ ...CHANGE, newpassword: 'Password1' }, 'newpassword', 'Choose a password that is harder'],
    [{ ...CHANGE, newpassword: 'Ada.Lovelace' }, 'newpassword', 'Choose a password that is harder'],
  ] as const;
  for (const [fields, field, words] of mistakes) {
    const answer = await member.submit('/account', fields);
    assert.equal(answer.status, 400);
    assert.match(bodyText(answer), new RegExp(`<a href="#${field}">${words}`));
    assert.equal(bodyText(answer).includes('battery staple'), false);
  }
  assert.equal(member.cookie('sid'), sid);
  const { accounts } = application.models;
  assert.notEqual(
    await accounts.authenticate({ username: 'ada.lovelace', password: PASSWORD }),
    null,
  );
});

test('of two changes at once the second changes nothing, and is led to the log-in', async (t) => {
  const won = 'the first of the two';
  const first: { key?: string } = {};
  const application = await createTestApplication(t, {
    replace: ({ accounts }) => ({
      accounts: {
        ...accounts,
        changePassword: async (id, password, key) => {
          const firstKey = first.key ?? assert.fail('nobody was first');
          await accounts.changePassword(id, { from: PASSWORD, to: won }, firstKey);
          return accounts.changePassword(id, password, key);
        },
      },
    }),
  });
  const [here, there] = [await createMember(application), await createMember(application)];
  first.key = toKey(there.cookie('sid') ?? '');
  const answer = await here.submit('/account', CHANGE);
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/login');
  assert.equal(here.cookie('sid'), null);
  assert.equal((await there.get('/account')).status, 200);
  const { accounts } = application.models;
  const ada = (password: string) => accounts.authenticate({ username: 'ada', password });
  assert.equal(await ada(CHANGE.newpassword), null);
  assert.notEqual(await ada(won), null);
});

test('wrong current passwords count as failed log-ins of this device', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const wrong = { ...CHANGE, currentpassword: 'a wrong guess' };
  for (let count = 0; count < 5; count++)
    assert.equal((await member.post('/account/password', wrong)).status, 400);
  const answer = await member.post('/account/password', CHANGE);
  assert.equal(answer.status, 429);
  assert.match(headerOf(answer, 'Retry-After') ?? '', /^\d+$/);
});

test('every form of the account needs a session', async (t) => {
  const application = await createTestApplication(t);
  await createMember(application);
  const visitor = createVisitor(application);
  const page = await visitor.get('/account');
  assert.equal(headerOf(page, 'Location'), '/login?next=%2Faccount');
  const paths = [
    'password',
    'sessions/end',
    'sessions/end-others',
    'invitations',
    'invitations/withdraw',
  ];
  for (const path of paths)
    assert.equal((await visitor.post(`/account/${path}`, CHANGE)).status, 401, path);
});
