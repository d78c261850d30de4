/**
 * Rows P11 and P12 of docs/hostile.md: a reset password, which another person knows, and a disabled
 * account.
 */
import assert from 'node:assert/strict';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  INVITED,
  PASSWORD,
  type TestApplication,
} from '../testing/create-test-application.ts';
import { testOnEngines } from '../testing/open-test-database.ts';

const ADA = { username: 'ada', password: PASSWORD };
const RESET = { username: 'ada', password: 'read out by phone' };
const OWN = { currentpassword: RESET.password, newpassword: 'battery staple' };

async function logIn(application: TestApplication, credentials = ADA) {
  const visitor = createVisitor(application);
  return { visitor, answer: await visitor.post('/login', credentials) };
}

testOnEngines('P11: a password that was reset is of use only to choose another one', async (t) => {
  const application = await createTestApplication(t);
  await createMember(application);
  await application.models.accounts.resetPassword(RESET);
  const { visitor, answer } = await logIn(application, RESET);
  assert.equal(answer.status, 303);
  const page = await visitor.follow(answer);
  assert.match(bodyText(page), /<h1>Choose a new password<\/h1>/);
  assert.doesNotMatch(bodyText(page), /Where you are logged in|Invite someone/);

  for (const path of ['/', '/items', '/items/new', '/items/1', '/login', '/nothing'])
    assert.equal((await visitor.get(path)).status, 303, path);
  const forms = ['/items', '/people/invitations', '/account/sessions/end', '/nothing'];
  for (const path of forms) {
    const refused = await visitor.post(path, { name: 'Drill' });
    assert.equal(refused.status, 403, path);
    assert.match(bodyText(refused), /Choose a new password first/);
  }
  assert.equal((await application.models.items.list(1)).itemCount, 0);
  assert.deepEqual(await application.models.invitations.list(), []);

  const same = { ...OWN, newpassword: RESET.password };
  assert.equal((await visitor.submit('/account', same)).status, 400);
  assert.equal((await visitor.get('/items')).status, 303);
  const changed = await visitor.submit('/account', OWN);
  assert.equal(headerOf(changed, 'Location'), '/account');
  assert.match(bodyText(await visitor.follow(changed)), /Where you are logged in/);
  assert.equal((await visitor.get('/items/new')).status, 200);
  const again = await logIn(application, { ...ADA, password: OWN.newpassword });
  assert.equal((await again.visitor.get('/items/new')).status, 200);
});

testOnEngines('P11: once it has expired it is a wrong password', async (t) => {
  const application = await createTestApplication(t);
  await createMember(application);
  await application.models.accounts.resetPassword(RESET);
  const { visitor } = await logIn(application, RESET);
  const past = new Date().toISOString();
  await application.database.write((transaction) =>
    transaction.updateTable('accounts').set({ password_expires_at: past }).execute(),
  );
  assert.equal((await logIn(application, RESET)).answer.status, 401);
  assert.equal((await visitor.submit('/account', OWN)).status, 400);
});

testOnEngines(
  'P12: disabling an account ends its sessions and refuses log-ins until it is enabled',
  async (t) => {
    const application = await createTestApplication(t);
    const [ada, bob] = [await createMember(application), await createMember(application, 'bob')];
    const { people } = application.models;
    await people.setRole(null, 2, 'administrator');
    for (const one of [ada, bob]) await one.post('/people/invitations', INVITED);
    const { accounts, invitations } = application.models;
    assert.equal((await people.setRemoved(null, 1, true)).kind, 'changed');
    assert.equal((await ada.get('/items/new')).status, 303);
    assert.equal((await bob.get('/items/new')).status, 200);
    assert.deepEqual(
      (await invitations.list()).map(({ createdBy }) => createdBy),
      ['bob'],
    );

    const wrong = await logIn(application, { ...ADA, password: 'a wrong guess' });
    const right = await logIn(application);
    assert.equal(right.answer.status, 401);
    assert.equal(bodyText(right.answer), bodyText(wrong.answer));
    await accounts.resetPassword(RESET);
    assert.equal((await logIn(application, RESET)).answer.status, 401);
    const taken = await accounts.register(ADA, false);
    assert.equal(taken.kind, 'taken');

    assert.equal((await people.setRemoved(null, 1, false)).kind, 'changed');
    assert.equal((await logIn(application, RESET)).answer.status, 303);
    assert.equal((await people.setRemoved(null, 9, true)).kind, 'unknown');
  },
);

testOnEngines(
  'P12: a log-in that is running when its account is disabled starts no session',
  async (t) => {
    const application = await createTestApplication(t, {
      replace: ({ accounts, people }) => ({
        accounts: {
          ...accounts,
          async authenticate(credentials) {
            const account = await accounts.authenticate(credentials);
            await people.setRemoved(null, 2, true);
            return account;
          },
        },
      }),
    });
    await application.models.accounts.register({ ...ADA, username: 'root' }, false);
    await application.models.accounts.register(ADA, false);
    const { visitor, answer } = await logIn(application);
    assert.equal(answer.status, 401);
    assert.equal((await visitor.get('/items/new')).status, 303);
  },
);
