/** Row E12 of docs/hostile.md: a password change ends an attacker's access. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor, hiddenFields, type Visitor } from 'seeother/testing';
import { createClock } from '../testing/create-clock.ts';
import {
  createMember,
  createTestApplication,
  INVITED,
  PASSWORD,
  setRole,
} from '../testing/create-test-application.ts';
import { openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { beforeWrites, listInvitations } from './probe.ts';

const END = '/account/devices';
const CHANGE = {
  currentpassword: PASSWORD,
  newpassword: 'battery staple',
  newpasswordagain: 'battery staple',
};

async function openTwo(t: Parameters<typeof createTestApplication>[0]) {
  const clock = createClock();
  const application = await createTestApplication(t, { now: clock.now });
  const owner = await createMember(application);
  const thief = await createMember(application);
  return { application, owner, thief, clock };
}

async function isIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.get('/account')).status === 200;
}

test('E12: a password change ends every other session and the old id of this one', async (t) => {
  const { application, owner, thief, clock } = await openTwo(t);
  const bystander = await createMember(application, 'bob');
  const old = owner.cookie('sid');
  assert.equal((await owner.post('/account/password', CHANGE)).status, 303);
  assert.equal(await isIn(thief), false);
  assert.equal(await isIn(owner), true);
  assert.equal(await isIn(bystander), true);
  const headers = { cookie: `sid=${old}` };
  clock.pass(10);
  assert.equal((await createVisitor(application).get('/account', { headers })).status, 303);
});

test('E12: for ten seconds the old id of a session can read, but change nothing', async (t) => {
  const { application, owner } = await openTwo(t);
  const old = { headers: { cookie: `sid=${owner.cookie('sid')}` } };
  const read = async (visitor: Visitor, init = {}) => {
    const pages = ['/account', '/account/password', END, '/people'].map(async (path) =>
      bodyText(await visitor.get(path, init)).replaceAll(' action="?', ` action="${path}?`),
    );
    return (await Promise.all(pages)).join('');
  };
  const page = await read(owner);
  await owner.post('/account/password', CHANGE);
  // A client with a copy of the cookie sends forms from a page before the change and one after it.
  const thief = createVisitor(application);
  assert.equal((await thief.get('/account', old)).status, 200);
  const forms = [page, await read(thief, old)]
    .flatMap((markup) => markup.match(/<form[\s\S]*?<\/form>/g) ?? [])
    .map((form) => [/ action="([^"]*)"/.exec(form)?.[1] ?? '', hiddenFields(form)] as const);
  const paths = ['/items', END, '/people'];
  const sent = [
    ...forms.filter(([path]) => path !== '/logout'),
    ...paths.map((path) => [path, {}] as const),
  ];
  assert.ok(sent.length > 6);
  for (const [path, fields] of sent) {
    const answer = await thief.post(path, { ...CHANGE, name: 'Drill', ...fields }, old);
    assert.equal(answer.status, 401, path);
  }
  assert.equal(await isIn(owner), true);
  assert.deepEqual(await listInvitations(application.database.url), []);
  assert.equal((await application.models.items.list(1)).itemCount, 0);
});

testOnEngines(
  'E12: a password change withdraws the invitations of the account, and no others',
  async (t) => {
    const application = await createTestApplication(t);
    const [owner, thief] = [await createMember(application), await createMember(application)];
    const bystander = await createMember(application, 'bob');
    await setRole(application, 'bob', 'administrator');
    for (const one of [owner, thief, bystander])
      assert.equal((await one.submit('/people', INVITED)).status, 303);
    const { url } = application.database;
    assert.deepEqual(await listInvitations(url), [1, 1, 2]);
    await owner.post('/account/password', CHANGE);
    assert.deepEqual(await listInvitations(url), [2]);
  },
);

testOnEngines(
  'E12: no request of an attacker that began before the password change succeeds after it',
  async (t) => {
    const database = await openTestDatabase(t);
    const during: { change?: () => Promise<unknown> } = {};
    let writes = 0;
    // A log-in writes that it is tried, its device, and its session.
    const betweenWrites = async (at: number) => {
      if (++writes < at) return;
      const { change: run } = during;
      delete during.change;
      await run?.();
    };
    let at = 1;
    const application = await createTestApplication(t, {
      database: beforeWrites(database, () => betweenWrites(at)),
    });
    const own = await createTestApplication(t, { database });
    const [owner, thief] = [await createMember(own), await createMember(application)];
    const passwords = [PASSWORD, 'battery staple', 'a third password', 'a fourth password'];
    const changeTo = (index: number, write: number) => {
      const [currentpassword = '', newpassword = ''] = passwords.slice(index);
      [writes, at] = [0, write];
      during.change = async () => {
        const change = { currentpassword, newpassword, newpasswordagain: newpassword };
        assert.equal((await owner.submit('/account/password', change)).status, 303);
      };
    };

    const visitor = createVisitor(application);
    changeTo(0, 2);
    const logIn = await visitor.post('/login', { username: 'ada', password: PASSWORD });
    assert.equal(during.change, undefined);
    assert.equal(logIn.status, 401);
    assert.match(bodyText(logIn), /<form [^>]*action="\/login/);
    assert.equal(await isIn(visitor), false);

    // The thief knows the old password, and the change comes before what the form carries out.
    await thief.submit('/login', { username: 'ada', password: 'battery staple' });
    changeTo(1, 1);
    const ended = await thief.submit(END, {});
    assert.equal(during.change, undefined);
    assert.equal(ended.status, 401);
    assert.equal(await isIn(owner), true);

    await thief.submit('/login', { username: 'ada', password: 'a third password' });
    changeTo(2, 1);
    const invited = await thief.submit('/people', INVITED);
    assert.equal(during.change, undefined);
    assert.ok([401, 403].includes(invited.status), `${invited.status}`);
    assert.deepEqual(await listInvitations(database.url), []);
    assert.equal(await isIn(owner), true);
  },
);
