/**
 * Rows P11 and P12 of docs/hostile.md: a link for a new password, which another person has made, and a disabled
 * account.
 */
import assert from 'node:assert/strict';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  INVITED,
  PASSWORD,
  register,
  setRole,
  type TestApplication,
} from '../testing/create-test-application.ts';
import { openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { beforeWrites, listInvitations } from './probe.ts';

const ADA = { username: 'ada', password: PASSWORD };
const OWN = { password: 'battery staple', passwordagain: 'battery staple' };

async function logIn(application: TestApplication, credentials = ADA) {
  const visitor = createVisitor(application);
  return { visitor, answer: await visitor.post('/login', credentials) };
}

/** As the person who runs the site makes it in the terminal. */
async function makeLink({ models }: TestApplication, username: string): Promise<string> {
  const printed = await models.accounts.command(['password', username]);
  return /\/password\/new\?token=\S+/.exec(printed)?.[0] ?? assert.fail(printed);
}

testOnEngines('P11: a link for a new password works once, and ends all sessions', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const link = await makeLink(application, 'ada');
  // Whoever asked in the terminal may fear a thief: nobody stays logged in, nor logs in with the old password.
  assert.equal((await ada.get('/items/new')).status, 303);
  assert.equal((await logIn(application)).answer.status, 401);
  const visitor = createVisitor(application);
  assert.equal((await visitor.submit(link, OWN)).status, 303);
  assert.equal((await visitor.get('/items/new')).status, 200);
  const other = { password: 'a third password', passwordagain: 'a third password' };
  const thief = createVisitor(application);
  for (const answer of [await thief.get(link), await thief.post(link, other)])
    assert.equal(answer.status, 404);
  assert.equal((await thief.get('/items/new')).status, 303);
  const chosen = { username: 'ada', password: OWN.password };
  assert.equal((await logIn(application, chosen)).answer.status, 303);
});

testOnEngines(
  'P11: a password of an earlier release, which another person made, is of use only to choose another one',
  async (t) => {
    const application = await createTestApplication(t, { mailer: null });
    await createMember(application);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const expire = (at: string) =>
      application.database.write((transaction) =>
        transaction.updateTable('accounts').set({ password_expires_at: at }).execute(),
      );
    await expire(later);
    const { visitor, answer } = await logIn(application);
    assert.equal(answer.status, 303);
    const page = await visitor.follow(await visitor.follow(answer));
    assert.match(bodyText(page), /An administrator knows your password\. Choose a new one first\./);
    for (const path of ['/', '/items', '/items/new', '/items/1', '/account', '/people'])
      assert.equal((await visitor.get(path)).status, 303, path);
    for (const path of ['/items', '/people', '/people/1', '/account/devices', '/account/profile']) {
      const refused = await visitor.post(path, { ...INVITED, name: 'Drill', action: 'disable' });
      assert.equal(refused.status, 403, path);
      assert.match(bodyText(refused), /Choose a new one first/);
    }
    assert.equal((await application.models.items.list(1)).itemCount, 0);
    assert.deepEqual(await listInvitations(application.database.url), []);
    const same = { currentpassword: PASSWORD, newpassword: PASSWORD, newpasswordagain: PASSWORD };
    assert.equal((await visitor.submit('/account/password', same)).status, 400);
    assert.equal((await visitor.get('/items')).status, 303);
    const { password: newpassword } = OWN;
    const change = { ...same, newpassword, newpasswordagain: newpassword };
    assert.equal((await visitor.submit('/account/password', change)).status, 303);
    assert.equal((await visitor.get('/items/new')).status, 200);

    await expire(new Date().toISOString());
    const expired = await logIn(application, { ...ADA, password: newpassword });
    assert.equal(expired.answer.status, 401);
  },
);

testOnEngines(
  'P12: disabling an account ends its sessions and refuses log-ins until it is enabled',
  async (t) => {
    const application = await createTestApplication(t);
    const [ada, bob] = [await createMember(application), await createMember(application, 'bob')];
    const { accounts, people } = application.models;
    await setRole(application, 'bob', 'administrator');
    for (const one of [ada, bob]) assert.equal((await one.submit('/people', INVITED)).status, 303);
    assert.deepEqual(await listInvitations(application.database.url), [1, 2]);
    await accounts.command(['disable', 'ada']);
    assert.equal((await ada.get('/items/new')).status, 303);
    assert.equal((await bob.get('/items/new')).status, 200);
    assert.deepEqual(await listInvitations(application.database.url), [2]);

    const wrong = await logIn(application, { ...ADA, password: 'a wrong guess' });
    const right = await logIn(application);
    assert.equal(right.answer.status, 401);
    assert.equal(bodyText(right.answer), bodyText(wrong.answer));
    assert.notEqual(await people.findByName('ada'), null, 'nobody else gets the name');

    await accounts.command(['enable', 'ada']);
    assert.equal((await logIn(application)).answer.status, 303);

    const early = await makeLink(application, 'ada');
    await accounts.command(['disable', 'ada']);
    for (const link of [early, await makeLink(application, 'ada')])
      assert.equal((await createVisitor(application).post(link, OWN)).status, 404);
    await assert.rejects(accounts.command(['disable', 'cy']), /no account has this username/);
  },
);

testOnEngines(
  'P12: a log-in that is running when its account is disabled starts no session',
  async (t) => {
    const database = await openTestDatabase(t);
    let during = async (): Promise<unknown> => null;
    const application = await createTestApplication(t, {
      database: beforeWrites(database, () => during()),
    });
    await register(application, 'root');
    await register(application, 'ada');
    const other = await createTestApplication(t, { database });
    // The first log-in makes tables.
    assert.equal((await logIn(application)).answer.status, 303);
    let count = 0;
    // After the first write the password has been checked.
    during = async () => {
      if (++count === 2) await other.models.accounts.command(['disable', 'ada']);
    };
    const { visitor, answer } = await logIn(application);
    assert.ok(count > 1, `${count} writes`);
    assert.equal(answer.status, 401);
    assert.equal((await visitor.get('/items/new')).status, 303);
  },
);
