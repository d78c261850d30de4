import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText } from 'seeother/testing';
import { createDatabase } from '../database/kysely.ts';
import { createMember, createTestApplication } from '../testing/create-test-application.ts';
import { openTestDatabase } from '../testing/open-test-database.ts';

const SAVED =
  '<main id="main" tabindex="-1">\n<p class="flash" role="status">The item was saved.</p>\n';

test('the page of a saved item shows a message at its top, once', async (t) => {
  const member = await createMember(await createTestApplication(t));
  const saved = await member.submit('/items/new', { name: 'Drill' });
  const shown = bodyText(await member.follow(saved));
  assert.ok(shown.includes(SAVED));
  assert.ok(shown.indexOf('role="status"') < shown.indexOf('<h1>'));
  assert.doesNotMatch(bodyText(await member.get('/items/1')), /class="flash"/);
});

test('the item, its receipt and its message are one write', async (t) => {
  const database = await openTestDatabase(t);
  let writes = 0;
  const write: typeof database.door.write = (work) => {
    writes++;
    return database.door.write(work);
  };
  const counting = createDatabase({ ...database.door, write });
  const application = await createTestApplication(t, { database: { ...database, ...counting } });
  const member = await createMember(application);
  writes = 0;
  const saved = await member.post('/items', { name: 'Drill', _once: 'one-key' });
  assert.equal(writes, 1);
  assert.ok(bodyText(await member.follow(saved)).includes(SAVED));
});
