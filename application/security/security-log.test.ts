/** Row P10 of docs/hostile.md: the security log has every event of an account. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { TOTP } from 'otpauth';
import { bodyText, createVisitor } from 'seeother/testing';
import { totp } from 'seeother/totp';
import {
  createMember,
  createTestApplication,
  INVITED,
  PASSWORD,
  register,
  setRole,
  type TestApplication,
} from '../testing/create-test-application.ts';
import { dumpDatabase, pathOf } from './probe.ts';

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

test('P10: every event of an account is one line with the client’s address and the account', async (t) => {
  const application = await createTestApplication(t, { mailer: null });
  const read = createReader(application);
  const browse = () => createVisitor(application, { address: ADDRESS });
  const by = (account: string | null, request: string, ...events: readonly string[]) =>
    events.map((security) => ({ security, account, address: ADDRESS, request }));
  const withDetail = (detail: string, lines: readonly object[]) =>
    lines.map((line) => ({ ...line, detail }));
  const again = { passwordagain: PASSWORD };

  const ada = browse();
  await ada.submit('/register', { username: 'Ada', password: PASSWORD, ...again });
  assert.deepEqual(read(), by('Ada', 'POST /register', 'account registered', 'logged in'));
  const invite = async (once: string) =>
    bodyText(await ada.follow(await ada.post('/people', { ...INVITED, to: SECRET, _once: once })));
  const listed = await invite('one');
  await invite('one');
  assert.deepEqual(read(), withDetail('member', by('Ada', 'POST /people', 'invitation made')));
  const [, id = ''] = /name="id" value="(\w+)"/.exec(listed) ?? [];
  for (const _time of ['first', 'second'])
    await ada.post('/people/invitations', { id, action: 'withdraw', _once: crypto.randomUUID() });
  assert.deepEqual(read(), by('Ada', 'POST /people/invitations', 'invitation withdrawn'));
  const [link = ''] = /\/register\?token=[\w-]{43}/.exec(await invite('two')) ?? [];
  read();
  await browse().submit(link, { username: 'bo-', password: PASSWORD, ...again });
  assert.deepEqual(read(), [
    ...by('bo-', 'POST /register', 'invitation used'),
    ...withDetail('by Ada', by('bo-', 'POST /register', 'account registered')),
    ...by('bo-', 'POST /register', 'logged in'),
  ]);
  for (const [fields, event, detail] of [
    [{ action: 'role', role: 'reader' }, 'role changed', 'reader, by Ada'],
    [{ action: 'link' }, 'reset link made', 'by Ada'],
    [{ action: 'disable' }, 'account disabled', 'by Ada'],
    [{ action: 'enable' }, 'account enabled', 'by Ada'],
  ] as const) {
    assert.equal((await ada.submit('/people/2', fields)).status, 303);
    assert.deepEqual(read(), withDetail(detail, by('bo-', 'POST /people/2', event)));
  }

  const elsewhere = browse();
  await elsewhere.post('/login', { username: 'ada', password: PASSWORD });
  assert.deepEqual(read(), by('Ada', 'POST /login', 'logged in'));
  const [, session = ''] = /devices\?id=(\w+)/.exec(bodyText(await ada.get('/account'))) ?? [];
  await ada.submit(`/account/devices?id=${session}`, {});
  assert.deepEqual(read(), by('Ada', 'POST /account/devices', 'session ended'));
  await elsewhere.submit('/login', { username: 'ada', password: PASSWORD });
  read();
  await ada.submit('/account/devices', {});
  assert.deepEqual(read(), by('Ada', 'POST /account/devices', 'other sessions ended'));
  const changed = { newpassword: 'battery staple', newpasswordagain: 'battery staple' };
  await ada.submit('/account/password', { ...changed, currentpassword: SECRET });
  assert.deepEqual(read(), by('Ada', 'POST /account/password', 'log-in failed'));
  await ada.submit('/account/password', { ...changed, currentpassword: PASSWORD });
  assert.deepEqual(read(), by('Ada', 'POST /account/password', 'password changed'));
  await ada.submit('/login/again', { username: 'ada', password: SECRET });
  assert.deepEqual(read(), by('Ada', 'POST /login/again', 'log-in failed'));
  await ada.post('/logout');
  assert.deepEqual(read(), by('Ada', 'POST /logout', 'logged out'));
  const reset = /\/password\/new\?token=\S+/.exec(
    await application.models.accounts.command(['password', 'ada']),
  );
  assert.deepEqual(read(), [
    { security: 'reset link made', account: 'Ada', detail: 'by terminal' },
  ]);
  await browse().submit(reset?.[0] ?? '', { password: PASSWORD, ...again });
  assert.deepEqual(read(), by('Ada', 'POST /password/new', 'password reset', 'logged in'));

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
  const lines = application.security.join('\n');
  // The name of the invited person was typed.
  assert.equal(lines.includes('hunter2'), false);
  assert.doesNotMatch(lines, /[\w-]{43}/);
});

test('P10: what somebody logs in with is in the log when it is added, and never what it is', async (t) => {
  const secrets = ['0123456789abcdef0123456789abcdef'];
  const application = await createTestApplication(t, { signIn: { totp: totp(), secrets } });
  const read = createReader(application);
  const ada = await createMember(application, 'ada', { address: ADDRESS });
  read();
  await ada.submit('/account/email', { email: `${SECRET}@example.org` });
  const mails = await dumpDatabase(application.database.url);
  const [link = ''] = /\/account\/email\/confirm\?token=[\w-]+/.exec(JSON.stringify(mails)) ?? [];
  assert.equal((await ada.submit(link, {})).status, 303);
  const shown = await ada.get('/account/second-factor');
  const [, key = ''] = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(bodyText(shown)) ?? [];
  const secret = key.replaceAll(' ', '');
  const code = new TOTP({ secret }).generate();
  assert.equal((await ada.submit(shown, { code })).status, 303);
  assert.deepEqual(
    read().map(({ security, account, address, detail }) => [security, account, address, detail]),
    [
      ['address changed', 'ada', ADDRESS, undefined],
      ['second factor added', 'ada', ADDRESS, undefined],
    ],
  );
  const visitor = createVisitor(application, { address: ADDRESS });
  await visitor.submit('/login', { username: 'ada', password: PASSWORD });
  await visitor.submit('/login/second-factor', { code: '000000' });
  assert.deepEqual(
    read().map(({ security, account }) => [security, account]),
    [['second factor failed', 'ada']],
  );
  const lines = application.security.join('\n');
  for (const text of [secret, code, '000000', 'hunter2']) assert.equal(lines.includes(text), false);
});

test('P10: the log has neither an unknown name nor a password, and no forged or long line', async (t) => {
  const application = await createTestApplication(t);
  const visitor = createVisitor(application, { address: ADDRESS });
  await register(application, 'ada');
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
  await register(application, 'ada');
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
  for (const [name, role] of users) {
    const user = await createMember(application, name, { address: ADDRESS });
    await setRole(application, name, role);
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
    for (const route of ['POST /people', 'POST /people/:id<int>', 'POST /people/invitations'])
      assert.ok(refused.includes(route), `${name}: ${route}`);
    assert.equal(refused.includes('GET /items/new'), role === 'reader');
  }
});

test('P10: a form that is refused until a password is changed is one line', async (t) => {
  const application = await createTestApplication(t);
  await register(application, 'ada');
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await application.database.write((transaction) =>
    transaction.updateTable('accounts').set({ password_expires_at: later }).execute(),
  );
  const ada = await createMember(application, 'ada', { address: ADDRESS });
  const read = createReader(application);
  read();
  assert.equal((await ada.post('/items', { name: 'Drill' })).status, 403);
  assert.deepEqual(
    read().map(({ security, account, route }) => [security, account, route]),
    [['access refused', 'ada', 'POST /items']],
  );
  // A visitor has no role, and an origin has a line of its own.
  assert.equal((await createVisitor(application).get('/register')).status, 403);
  await ada.post('/items', {}, { headers: { 'sec-fetch-site': 'cross-site' } });
  assert.deepEqual(
    read().map(({ security }) => security),
    ['origin refused'],
  );
});
