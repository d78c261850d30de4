/** The hostile world, E12: whoever has come in somewhere else is out after a change of password. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createVisitor, type Visitor } from 'seeother/testing';
import { createClock } from '../testing/create-clock.ts';
import {
  createMember,
  createTestApplication,
  PASSWORD,
} from '../testing/create-test-application.ts';

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

test('E12: a change of password ends every other session, and the old id of this one', async (t) => {
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

test('E12: "log out everywhere else" ends the others', async (t) => {
  const { owner, thief } = await openTwo(t);
  await owner.post('/account/sessions/end-others');
  assert.equal(await isIn(thief), false);
  assert.equal(await isIn(owner), true);
});

test('E12: a thief with a session and without the password changes and ends nothing', async (t) => {
  const { owner, thief } = await openTwo(t);
  const answer = await thief.post('/account/password', { ...CHANGE, currentpassword: 'a guess' });
  assert.equal(answer.status, 400);
  assert.equal(await isIn(owner), true);
});

test('E12: of two changes at once one wins, and the loser is out', async (t) => {
  const { owner, thief } = await openTwo(t);
  await Promise.all([
    owner.post('/account/password', CHANGE),
    thief.post('/account/password', { ...CHANGE, newpassword: 'a password of the thief' }),
  ]);
  const inside = [await isIn(owner), await isIn(thief)];
  assert.deepEqual(inside.toSorted(), [false, true]);
});
