/** Row P10 of docs/hostile.md: the security log has every event of an account. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor, type Visitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  INVITED,
  PASSWORD,
  type TestApplication,
} from '../testing/create-test-application.ts';
import { pathOf } from './probe.ts';

const ADDRESS = '203.0.113.9';
const SECRET = 'hunter2-secret';

type Event = Readonly<Record<string, string | null>>;

/** Returns the lines since the last call. */
function createReader({ security }: TestApplication): () => readonly Event[] {
  let read = 0;
  return () => {
    const lines = security.slice(read);
    read = security.length;
    return lines.map((line) => {
      const { time, ...event } = JSON.parse(line) as Event;
      assert.match(time ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      return event;
    });
  };
}

/** Of another session, or of an invitation on the page of people. */
async function publicIdOf(visitor: Visitor, page = '/account'): Promise<string> {
  const markup = bodyText(await visitor.get(page));
  const [, id = ''] = /(?:name="id" value="|sessions\/end\?id=)([^"]+)"/.exec(markup) ?? [];
  return id;
}

test('P10: every event of an account is one line with the client’s address and the account', async (t) => {
  const application = await createTestApplication(t);
  const read = createReader(application);
  const browse = () => createVisitor(application, { address: ADDRESS });
  const by = (account: string | null, request: string, ...events: readonly string[]) =>
    events.map((security) => ({ security, account, address: ADDRESS, request }));

  const ada = browse();
  await ada.post('/register', { username: 'Ada', password: PASSWORD });
  assert.deepEqual(read(), by('Ada', 'POST /register', 'account registered', 'logged in'));
  await ada.post('/people/invitations', { ...INVITED, _once: 'one' });
  await ada.post('/people/invitations', { ...INVITED, _once: 'one' });
  assert.deepEqual(
    read(),
    by('Ada', 'POST /people/invitations', 'invitation made').map((event) => ({
      ...event,
      detail: 'member',
    })),
  );
  const id = await publicIdOf(ada, '/people');
  for (const _time of ['first', 'second']) await ada.post('/people/invitations/withdraw', { id });
  assert.deepEqual(read(), by('Ada', 'POST /people/invitations/withdraw', 'invitation withdrawn'));
  await ada.post('/people/invitations', { ...INVITED, _once: 'two' });
  const [, invitation = ''] =
    /invitation=([\w-]{43})/.exec(bodyText(await ada.get('/people'))) ?? [];
  read();
  await browse().post('/register', { username: 'bo-', password: PASSWORD, invitation });
  assert.deepEqual(
    read(),
    by('bo-', 'POST /register', 'invitation used', 'account registered', 'logged in'),
  );

  const elsewhere = browse();
  await elsewhere.post('/login', { username: 'ada', password: PASSWORD });
  assert.deepEqual(read(), by('Ada', 'POST /login', 'logged in'));
  const session = await publicIdOf(ada);
  await ada.post('/account/sessions/end', { id: session, currentpassword: SECRET });
  assert.deepEqual(read(), by('Ada', 'POST /account/sessions/end', 'log-in failed'));
  await ada.post('/account/sessions/end', { id: session, currentpassword: PASSWORD });
  assert.deepEqual(read(), by('Ada', 'POST /account/sessions/end', 'session ended'));
  await ada.post('/account/sessions/end', { currentpassword: PASSWORD });
  assert.deepEqual(read(), by('Ada', 'POST /account/sessions/end', 'other sessions ended'));
  const change = { currentpassword: SECRET, newpassword: 'battery staple', _once: 'three' };
  await ada.post('/account/password', change);
  assert.deepEqual(read(), by('Ada', 'POST /account/password', 'log-in failed'));
  await ada.post('/account/password', { ...change, currentpassword: PASSWORD });
  assert.deepEqual(read(), by('Ada', 'POST /account/password', 'password changed'));
  await ada.post('/logout');
  assert.deepEqual(read(), by('Ada', 'POST /logout', 'logged out'));

  const stranger = browse();
  const guess = (username: string) => stranger.post('/login', { username, password: SECRET });
  for (let count = 0; count < 2; count++) await guess('ada');
  assert.deepEqual(read(), [
    ...by('Ada', 'POST /login', 'log-in failed'),
    ...by('Ada', 'POST /login', 'log-in failed'),
  ]);
  while ((await guess('ada')).status !== 429);
  assert.deepEqual([read().at(-1)], by('Ada', 'POST /login', 'log-in throttled'));
  await stranger.post('/items', {}, { headers: { 'sec-fetch-site': 'cross-site' } });
  await stranger.get('/items', { headers: { host: 'evil.example' } });
  const refused = read().map(({ detail, ...event }) => [event, detail?.slice(0, 30)]);
  assert.deepEqual(refused, [
    [...by(null, 'POST /items', 'origin refused'), 'Your browser says that the for'],
    [...by(null, 'GET /items', 'host refused'), 'The request is for the host "e'],
  ]);
});

test('P10: the log has neither an unknown name nor a password, and no forged or long line', async (t) => {
  const application = await createTestApplication(t);
  const visitor = createVisitor(application, { address: ADDRESS });
  await application.models.accounts.register({ username: 'ada', password: PASSWORD }, false);
  // Users sometimes type their password into the field of the name.
  for (const username of [SECRET, `ada ${SECRET}`, `ada\n{"security":"forged"}`, '\u009b2J\u202e'])
    await visitor.post('/login', { username, password: SECRET });
  const long = 'x'.repeat(5_000);
  const headers = { origin: `http://${long}\u0085`, 'sec-fetch-site': undefined };
  await visitor.post(`/${long}%C2%9B`, {}, { headers });
  const events = createReader(application)();
  assert.deepEqual(
    events.map(({ security, account }) => [security, account]),
    [...Array(4).fill(['log-in failed', null]), ['origin refused', null]],
  );
  const lines = application.security.join('\n');
  assert.equal(lines.includes('hunter2'), false);
  assert.doesNotMatch(lines.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
  assert.ok(application.security.every((line) => line.length < 2_000));
});

test('P10: a log-in that the session store refuses is not logged as one', async (t) => {
  const application = await createTestApplication(t, {
    replace: ({ sessions }) => ({ sessions: { ...sessions, create: async () => false } }),
  });
  await application.models.accounts.register({ username: 'ada', password: PASSWORD }, false);
  const visitor = createVisitor(application, { address: ADDRESS });
  const { status } = await visitor.post('/login', { username: 'ada', password: PASSWORD });
  assert.equal(status, 401);
  assert.deepEqual(createReader(application)(), []);
});

test('P10: every refusal of a user by role is one line with the name, the route and the address', async (t) => {
  const application = await createTestApplication(t);
  await createMember(application);
  const users = [
    ['rea', 'reader'],
    ['mem', 'member'],
  ] as const;
  for (const [index, [name, role]] of users.entries()) {
    const user = await createMember(application, name, { address: ADDRESS });
    await application.models.people.setRole(null, index + 2, role);
    const read = createReader(application);
    read();
    const refused: string[] = [];
    for (const { method, pattern } of application.routes) {
      // It would end the session of the other requests.
      if (pattern === '/logout') continue;
      const path = pathOf(pattern);
      const { status } = await (method === 'GET'
        ? user.get(path)
        : user.post(path, { _once: 'k' }));
      const lines = read().filter(({ security }) => security === 'access refused');
      const expected = {
        security: 'access refused',
        account: name,
        address: ADDRESS,
        request: `${method} ${path}`,
        route: `${method} ${pattern}`,
        detail: role,
      };
      assert.deepEqual(lines, status === 403 ? [expected] : [], `${method} ${path}: ${status}`);
      if (status === 403) refused.push(`${method} ${pattern}`);
    }
    assert.ok(refused.includes('POST /people/invitations'), name);
    assert.equal(refused.includes('GET /items/new'), role === 'reader');
  }
});

test('P10: a form that is refused until a reset password is changed is one line', async (t) => {
  const application = await createTestApplication(t);
  const { accounts } = application.models;
  await createMember(application);
  await accounts.resetPassword({ username: 'ada', password: PASSWORD });
  const ada = createVisitor(application, { address: ADDRESS });
  await ada.submit('/login', { username: 'ada', password: PASSWORD });
  const read = createReader(application);
  read();
  assert.equal((await ada.post('/items', { name: 'Drill' })).status, 403);
  assert.deepEqual(
    read().map(({ security, account, route }) => [security, account, route]),
    [['access refused', 'ada', 'POST /items']],
  );
  // A visitor has no role, and an origin has a line of its own.
  assert.equal((await createVisitor(application).get('/reset-password')).status, 403);
  await ada.post('/items', {}, { headers: { 'sec-fetch-site': 'cross-site' } });
  assert.deepEqual(
    read().map(({ security }) => security),
    ['origin refused'],
  );
});
