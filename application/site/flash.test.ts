import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText } from 'seeother/testing';
import { createDatabase } from '../database/kysely.ts';
import { createMember, createTestApplication } from '../testing/create-test-application.ts';
import { openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';

const SAVED =
  '<main id="main" tabindex="-1">\n<div class="flash" role="status" tabindex="-1" autofocus><p>The item was saved.</p></div>\n';

test('the page of a saved item has a message in its title and at its top, with the focus, once', async (t) => {
  const member = await createMember(await createTestApplication(t));
  const saved = await member.submit('/items/new', { name: 'Drill' });
  const shown = bodyText(await member.follow(saved));
  assert.ok(shown.includes(SAVED));
  assert.match(shown, /<title>The item was saved\. – Drill – Items – Seeother<\/title>/);
  assert.equal(shown.split('autofocus').length, 2);
  const later = bodyText(await member.get('/items/1'));
  assert.match(later, /<title>Drill – Items – Seeother<\/title>/);
  assert.doesNotMatch(later, /class="flash"|autofocus/);
});

testOnEngines('the item, its receipt and its message are one write', async (t) => {
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
