import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../../testing/create-test-application.ts';
import { addItem } from '../../testing/open-test-database.ts';

test('the short address of an item leads to its page, and a log-in that it needs goes on there', async (t) => {
  const environment = { READERS: 'members' };
  const application = await createTestApplication(t, { environment });
  await addItem(application.database, { name: 'Drill' });
  const member = await createMember(application);
  const answer = await member.get('/i/1');
  assert.deepEqual([answer.status, headerOf(answer, 'Location')], [303, '/items/1']);
  assert.equal((await member.get('/i/01')).status, 404);
  const visitor = createVisitor(application);
  const asked = headerOf(await visitor.get('/i/1'), 'Location') ?? '';
  const loggedIn = await visitor.submit(asked, { username: 'ada', password: PASSWORD });
  assert.match(bodyText(await visitor.follow(await visitor.follow(loggedIn))), /<h1>Drill /);
});
