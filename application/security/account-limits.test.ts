/** Row E15 of docs/hostile.md: how much data one account can make the service store. */
import assert from 'node:assert/strict';
import { serializeDraft } from 'seeother';
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
import { testOnEngines } from '../testing/open-test-database.ts';
import { listInvitations } from './probe.ts';

const ADA = { username: 'ada', password: PASSWORD };

async function logIn(application: TestApplication, fields: Record<string, string> = {}) {
  const visitor = createVisitor(application);
  assert.equal((await visitor.post('/login', { ...ADA, ...fields })).status, 303);
  return visitor;
}

testOnEngines(
  'E15: an account has at most twenty sessions: a further one ends the least recently seen',
  async (t) => {
    const application = await createTestApplication(t);
    const first = await createMember(application);
    const bystander = await createMember(application, 'bob');
    const rest = [];
    for (let count = 0; count < 19; count++) rest.push(await logIn(application));
    assert.equal((await first.get('/account')).status, 200);
    const latest = await logIn(application);
    assert.equal((await first.get('/account')).status, 303);
    for (const one of [...rest, latest, bystander])
      assert.equal((await one.get('/account')).status, 200);
  },
);

testOnEngines('E15: so an account keeps twenty drafts of 65,536 characters at most', async (t) => {
  const application = await createTestApplication(t);
  await register(application, 'ada');
  const parts = { action: '/items', path: '/items/new', once: null, language: 'en' };
  const draft = serializeDraft({ ...parts, fields: { description: 'x'.repeat(65_000) } });
  for (let count = 0; count < 25; count++) await logIn(application, { draft });
  const rows = await application.database.read.selectFrom('sessions').select('draft').execute();
  assert.equal(rows.length, 20);
  for (const row of rows) assert.equal(row.draft.length, draft.length);
});

testOnEngines(
  'E15: an account has at most twenty open invitations, also when it creates them concurrently',
  async (t) => {
    const application = await createTestApplication(t);
    const [ada, bob] = [await createMember(application), await createMember(application, 'bob')];
    await setRole(application, 'bob', 'administrator');
    const made = () => listInvitations(application.database.url);
    const invite = () => ada.post('/people', { ...INVITED, _once: crypto.randomUUID() });
    const answers = await Promise.all(Array.from({ length: 25 }, invite));
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [...Array(20).fill(303), ...Array(5).fill(409)]);
    const refused = bodyText(await invite());
    assert.match(refused, /Too many invitations are open\. Withdraw one first/);
    // The typed address is not lost.
    assert.match(refused, /value="grace@example\.org"/);
    assert.equal((await bob.submit('/people', INVITED)).status, 303);
    const [, id = ''] = /name="id" value="(\w+)"/.exec(bodyText(await ada.get('/people'))) ?? [];
    await ada.post('/people/invitations', { id, action: 'withdraw' });
    assert.equal((await invite()).status, 303);
    assert.equal((await made()).length, 21);
  },
);
