import assert from 'node:assert/strict';
import { createVisitor } from 'seeother/testing';
import { createTestApplication, PASSWORD } from '../testing/create-test-application.ts';
import { testOnEngines } from '../testing/open-test-database.ts';

testOnEngines('a registration with a taken name uses up no number', async (t) => {
  const application = await createTestApplication(t, { environment: { REGISTRATION: 'open' } });
  const register = async (username: string, password = PASSWORD) =>
    (await createVisitor(application).post('/register', { username, password })).status;
  assert.equal(await register('Ada'), 303);
  for (const taken of ['Ada', 'ADA']) assert.equal(await register(taken, 'another one'), 400);
  assert.equal(await register('bo-'), 303);
  assert.equal((await application.models.people.findByName('BO-'))?.id, 2);
});
