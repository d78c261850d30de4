/** The form to change the password. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
  setCookieOf,
} from '../testing/create-test-application.ts';

const CHANGE = { currentpassword: PASSWORD, newpassword: 'battery staple' };

test('with the current password a user can change it, and the session gets a new id', async (t) => {
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

test('a repeat of the change with the old id gets the same response', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const twice = { headers: { cookie: `sid=${member.cookie('sid')}` } };
  for (const _time of ['first', 'second']) {
    const visitor = createVisitor(application);
    const answer = await visitor.post('/account/password', { ...CHANGE, _once: 'key' }, twice);
    assert.equal(answer.status, 303);
    assert.match(bodyText(await visitor.follow(answer)), /Your password was changed/);
  }
});

test('the same form with the old id and another new password is a wrong current password', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const twice = { headers: { cookie: `sid=${member.cookie('sid')}` } };
  const form = { ...CHANGE, _once: 'key' };
  await member.post('/account/password', form);
  const edited = { ...form, newpassword: 'another new one' };
  const answer = await createVisitor(application).post('/account/password', edited, twice);
  assert.equal(answer.status, 400);
  assert.match(bodyText(answer), /<a href="#currentpassword">/);
});

test('after two concurrent repeats of the change, both responses are logged in', async (t) => {
  const { promise: bothAreKnown, resolve } = Promise.withResolvers<void>();
  let known = 0;
  const application = await createTestApplication(t, {
    replace: ({ accounts }) => ({
      accounts: {
        ...accounts,
        async hash(password) {
          if (++known === 2) resolve();
          await bothAreKnown;
          return accounts.hash(password);
        },
      },
    }),
  });
  const member = await createMember(application);
  const same = { headers: { cookie: `sid=${member.cookie('sid')}` } };
  const form = { ...CHANGE, _once: 'key' };
  const visitors = [createVisitor(application), createVisitor(application)];
  const answers = visitors.map((visitor) => visitor.post('/account/password', form, same));
  for (const [index, answer] of (await Promise.all(answers)).entries()) {
    assert.equal(headerOf(answer, 'Location'), '/account');
    assert.equal((await visitors[index]?.get('/account'))?.status, 200, `answer ${index}`);
  }
});

test('an invalid change is a 400 with the error on its field, and changes nothing', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application, 'ada.lovelace');
  const sid = member.cookie('sid');
  const mistakes = [
    [
      { currentpassword: 'wrong', newpassword: 'battery staple' },
      'currentpassword',
      'Current password is incorrect',
    ],
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
  const wrong = { currentpassword: 'wrong', newpassword: 'password', newpasswordagain: 'passwort' };
  const all = bodyText(await member.submit('/account', wrong));
  for (const field of Object.keys(wrong)) assert.match(all, new RegExp(`<li><a href="#${field}">`));
  assert.equal(member.cookie('sid'), sid);
  const { accounts } = application.models;
  assert.notEqual(
    await accounts.authenticate({ username: 'ada.lovelace', password: PASSWORD }),
    null,
  );
});

test('of two concurrent changes the second changes nothing and is redirected to the log-in', async (t) => {
  const won = 'the first of the two';
  const first: { change?: () => Promise<unknown> } = {};
  const application = await createTestApplication(t, {
    replace: ({ accounts }) => ({
      accounts: {
        ...accounts,
        // The current password was correct when it was checked.
        async hash(password) {
          const { change } = first;
          delete first.change;
          await change?.();
          return accounts.hash(password);
        },
      },
    }),
  });
  const [here, there] = [await createMember(application), await createMember(application)];
  first.change = () => there.post('/account/password', { ...CHANGE, newpassword: won });
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

test('a change checks only the current password, once', async (t) => {
  const checked: string[] = [];
  const application = await createTestApplication(t, {
    replace: ({ accounts }) => ({
      accounts: {
        ...accounts,
        authenticate(credentials) {
          checked.push(credentials.password);
          return accounts.authenticate(credentials);
        },
      },
    }),
  });
  const member = await createMember(application);
  checked.splice(0);
  // Only the new password is correct. A response that reveals this would allow a second guess.
  const guess = { currentpassword: 'a wrong guess', newpassword: PASSWORD, _once: 'key' };
  assert.equal((await member.post('/account/password', guess)).status, 400);
  assert.deepEqual(checked, ['a wrong guess']);
});

for (const path of ['/account/password', '/account/sessions/end'])
  test(`wrong current passwords for ${path} count as failed log-ins of this device`, async (t) => {
    const application = await createTestApplication(t);
    const member = await createMember(application);
    // With a session to end.
    await createMember(application);
    const wrong = { ...CHANGE, currentpassword: 'a wrong guess' };
    for (let count = 0; count < 5; count++)
      assert.equal((await member.post(path, wrong)).status, 400);
    const answer = await member.post(path, CHANGE);
    assert.equal(answer.status, 429);
    assert.match(headerOf(answer, 'Retry-After') ?? '', /^\d+$/);
  });
