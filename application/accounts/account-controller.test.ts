/** The account page and the end of sessions. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { toTokenKey } from 'seeother';
import { bodyText, createVisitor, type Visitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../testing/create-test-application.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const END = '/account/sessions/end';
const AGAIN = { currentpassword: PASSWORD };

/** The public ids of the sessions with a link to end them, in the order of the page. */
async function otherSessions(visitor: Visitor): Promise<readonly string[]> {
  const markup = bodyText(await visitor.get('/account'));
  return [...markup.matchAll(/sessions\/end\?id=([^"]*)"/g)].map(([, id = '']) => id);
}

test('the account page shows the username and the sessions', async (t) => {
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
  assert.match(markup, />A browser<\/strong> <span class="this">this device<\/span>/);
  assert.match(markup, /aria-current="page">Account<\/a>/);
  assert.equal((await otherSessions(here)).length, 1);
});

test('no page contains the key of a session or a part of it', async (t) => {
  const application = await createTestApplication(t);
  const here = await createMember(application);
  const there = await createMember(application);
  const markup = bodyText(await here.get('/account'));
  for (const visitor of [here, there]) {
    const key = toTokenKey(visitor.cookie('sid') ?? '');
    const [id = ''] = await otherSessions(visitor === here ? there : here);
    assert.equal(key.includes(id), false);
    for (let at = 0; at + 10 <= key.length; at++)
      assert.equal(markup.includes(key.slice(at, at + 10)), false);
  }
});

test('the form of another session ends only that one', async (t) => {
  const application = await createTestApplication(t);
  const [here, there] = [await createMember(application), await createMember(application)];
  const third = await createMember(application);
  const [first = ''] = await otherSessions(here);
  const asked = await here.get(`${END}?id=${first}`);
  assert.match(bodyText(asked), /<h1>Log out another device<\/h1>/);
  assert.match(bodyText(asked), /autocomplete="current-password"/);
  const answer = await here.submit(`${END}?id=${first}`, AGAIN);
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/account');
  assert.match(
    bodyText(await here.follow(answer)),
    /role="status"[^>]*><p>That device is now logged out\.</,
  );
  const statuses = await Promise.all(
    [here, there, third].map(async (one) => (await one.get('/account')).status),
  );
  assert.deepEqual([statuses[0], ...statuses.slice(1).toSorted()], [200, 200, 303]);
  const again = await here.follow(await here.post(END, { ...AGAIN, id: first }));
  assert.match(bodyText(again), /That device was already logged out\./);
  assert.equal(headerOf(await here.get(`${END}?id=${first}`), 'Location'), '/account');
});

test('a wrong current password ends no session, and shows the form again', async (t) => {
  const application = await createTestApplication(t);
  const [here, there] = [await createMember(application), await createMember(application)];
  const [id = ''] = await otherSessions(here);
  const cases = [
    ['', /Enter your current password/],
    ['a guess', /Current password is incorrect/],
  ] as const;
  for (const query of [`?id=${id}`, '']) {
    for (const [currentpassword, message] of cases) {
      const answer = await here.submit(END + query, { currentpassword });
      assert.equal(answer.status, 400);
      assert.match(bodyText(answer), message);
      assert.match(
        bodyText(answer),
        /<form class="form" method="post"[^>]* action="\/account\/sessions\/end"/,
      );
      assert.doesNotMatch(bodyText(answer), /a guess/);
    }
  }
  assert.equal((await there.get('/account')).status, 200);
});

test('no user can end a session of another user', async (t) => {
  const application = await createTestApplication(t);
  const [ada, bo] = [await createMember(application), await createMember(application, 'bob')];
  const second = await createMember(application, 'bob');
  const ids = [...(await otherSessions(bo)), ...(await otherSessions(second))];
  assert.equal(ids.length, 2);
  const keys = [toTokenKey(bo.cookie('sid') ?? ''), bo.cookie('sid') ?? ''];
  for (const id of [...ids, ...keys, '']) await ada.post(END, { ...AGAIN, id });
  await ada.post(END, AGAIN);
  for (const one of [bo, second]) assert.equal((await one.get('/account')).status, 200);
});

test('the form to end the current session logs out', async (t) => {
  const application = await createTestApplication(t);
  const [here, there] = [await createMember(application), await createMember(application)];
  const [id = ''] = await otherSessions(there);
  const answer = await here.post(END, { ...AGAIN, id });
  assert.equal(headerOf(answer, 'Location'), '/login');
  assert.equal(here.cookie('sid'), null);
});

test('the form to log out all other devices keeps the current session', async (t) => {
  const application = await createTestApplication(t);
  const [here, there] = [await createMember(application), await createMember(application)];
  const answer = await here.submit(END, AGAIN);
  assert.match(bodyText(await here.follow(answer)), /All other devices are now logged out\./);
  assert.equal((await there.get('/account')).status, 303);
  assert.doesNotMatch(bodyText(await here.get('/account')), /Log out everywhere else/);
  assert.equal(headerOf(await here.get(END), 'Location'), '/account');
});
