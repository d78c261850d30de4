/** Row E12 of docs/hostile.md: a password change ends an attacker's access. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor, hiddenFields, type Visitor } from 'seeother/testing';
import { createClock } from '../testing/create-clock.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
  INVITED,
  PASSWORD,
} from '../testing/create-test-application.ts';

const END = '/account/sessions/end';
const CHANGE = { currentpassword: PASSWORD, newpassword: 'battery staple' };

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
  const read = async (visitor: Visitor, init = {}) =>
    bodyText(await visitor.get('/account', init)) + bodyText(await visitor.get(END, init));
  const page = await read(owner);
  await owner.post('/account/password', CHANGE);
  // A client with a copy of the cookie sends forms from a page before the change and one after it.
  const thief = createVisitor(application);
  assert.equal((await thief.get('/account', old)).status, 200);
  const forms = [page, await read(thief, old)]
    .flatMap((markup) => markup.match(/<form[\s\S]*?<\/form>/g) ?? [])
    .map((form) => [/ action="([^"]*)"/.exec(form)?.[1] ?? '', hiddenFields(form)] as const);
  const paths = ['/items', END, '/people/invitations'];
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
  assert.deepEqual(await application.models.invitations.list(), []);
  assert.equal((await application.models.items.list(1)).itemCount, 0);
});

test('E12: a password change withdraws the invitations of the account, and no others', async (t) => {
  const { application, owner, thief } = await openTwo(t);
  const bystander = await createMember(application, 'bob');
  await application.models.people.setRole(null, 2, 'administrator');
  for (const one of [owner, thief, bystander]) await one.post('/people/invitations', INVITED);
  assert.equal((await application.models.invitations.list()).length, 3);
  await owner.post('/account/password', CHANGE);
  const left = await application.models.invitations.list();
  assert.deepEqual(
    left.map(({ createdBy }) => createdBy),
    ['bob'],
  );
});

test('E12: no request of an attacker that began before the password change succeeds after it', async (t) => {
  const during: { change?: () => Promise<unknown> } = {};
  const change = async () => {
    const { change: run } = during;
    delete during.change;
    await run?.();
  };
  const application = await createTestApplication(t, {
    replace: ({ accounts, receipts }) => ({
      accounts: {
        ...accounts,
        async authenticate(credentials) {
          const account = await accounts.authenticate(credentials);
          await change();
          return account;
        },
      },
      receipts: {
        ...receipts,
        async carryOut(key, work) {
          await change();
          return receipts.carryOut(key, work);
        },
      },
    }),
  });
  const [owner, thief] = [await createMember(application), await createMember(application)];
  const passwords = [PASSWORD, 'battery staple', 'a third password', 'a fourth password'];
  const changeTo = (index: number) => async () => {
    const [currentpassword = '', newpassword = ''] = passwords.slice(index);
    const answer = await owner.post('/account/password', { currentpassword, newpassword });
    assert.equal(answer.status, 303);
  };

  during.change = changeTo(0);
  const visitor = createVisitor(application);
  const logIn = await visitor.submit('/login', { username: 'ada', password: PASSWORD });
  assert.equal(logIn.status, 401);
  assert.match(bodyText(logIn), /Your password was changed/);
  assert.match(bodyText(logIn), /<form class="form" method="post" action="\/login"/);
  assert.equal(await isIn(visitor), false);

  await thief.submit('/login', { username: 'ada', password: 'battery staple' });
  // The thief knows the old password. Its check passes, and then the owner changes the password.
  during.change = changeTo(1);
  const ended = await thief.post(END, { currentpassword: 'battery staple' });
  assert.equal(headerOf(ended, 'Location'), '/login');
  assert.equal(await isIn(owner), true);

  await thief.submit('/login', { username: 'ada', password: 'a third password' });
  during.change = changeTo(2);
  assert.equal((await thief.post('/people/invitations', { ...INVITED, _once: 'key' })).status, 401);
  assert.deepEqual(await application.models.invitations.list(), []);
  assert.equal(await isIn(owner), true);
});
