import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { DatabaseUnavailable, type Outcome } from 'seeother/database';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import { openDatabase } from '../database/open-database.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../testing/create-test-application.ts';
import { ENGINES, openTestDatabase, PATIENT } from '../testing/open-test-database.ts';
import { createProxy } from '../testing/postgres/create-proxy.ts';

/** An application whose database goes away behind the log-in. */
function createWithoutDatabase(t: TestContext, outcome: Outcome = 'not saved') {
  const fail = () => Promise.reject(new DatabaseUnavailable('secret.example is away', { outcome }));
  return createTestApplication(t, {
    replace: ({ items, receipts }) => ({
      items: { ...items, list: fail, range: fail },
      receipts: { ...receipts, carryOut: fail },
    }),
    checkDatabase: fail,
  });
}

test('a page without a database is a 503 with Retry-After', async (t) => {
  const application = await createWithoutDatabase(t);
  const answer = await createVisitor(application).get('/items');
  assert.equal(answer.status, 503);
  assert.equal(headerOf(answer, 'Retry-After'), '5');
  assert.match(bodyText(answer), /We can’t reach the database right now/);
  assert.doesNotMatch(bodyText(answer), /secret/);
  assert.match(String(application.reports[0]?.error?.cause), /secret\.example is away/);
});

test('a form without a database returns the typed text, and says that nothing was saved', async (t) => {
  const member = await createMember(await createWithoutDatabase(t));
  const answer = await member.submit('/items/new', { name: 'Drill', description: '<b>Two</b>' });
  assert.equal(answer.status, 503);
  assert.equal(headerOf(answer, 'Retry-After'), '5');
  assert.match(bodyText(answer), /Nothing was saved or changed\./);
  assert.match(bodyText(answer), /<dt>Name<\/dt><dd>Drill<\/dd>/);
});

test('the page of a form without a database sends the same form again, with the same key', async (t) => {
  let isAway = true;
  const away = new DatabaseUnavailable('away', { outcome: 'unknown' });
  const application = await createTestApplication(t, {
    replace: ({ receipts }) => ({
      receipts: {
        ...receipts,
        carryOut: (...work) => (isAway ? Promise.reject(away) : receipts.carryOut(...work)),
      },
    }),
  });
  const member = await createMember(application);
  const typed = { name: 'Drill "2"', description: 'one\n<two>', _once: 'the-same-page' };
  const answer = await member.post('/items', typed);
  assert.equal(answer.status, 503);
  const [, action, inputs = ''] =
    /<form method="post" action="([^"]*)">\n(.*?)<button>Try again</s.exec(bodyText(answer)) ?? [];
  assert.equal(action, '/items');
  assert.deepEqual(hiddenFields(inputs), typed);
  isAway = false;
  for (let count = 0; count < 2; count++) {
    const again = await member.post(action ?? '', hiddenFields(inputs));
    assert.equal(headerOf(again, 'Location'), '/items/1');
  }
});

test('no button and no log-in form sends again what another site has sent', async (t) => {
  let isAway = false;
  const application = await createTestApplication(t, {
    replace: ({ sessions }) => ({
      sessions: {
        ...sessions,
        find: (key) =>
          isAway ? Promise.reject(new DatabaseUnavailable('away')) : sessions.find(key),
      },
    }),
  });
  const member = await createMember(application);
  isAway = true;
  const foreign = { headers: { 'sec-fetch-site': 'same-site' } };
  const fields = { name: 'Drill', _once: 'theirs' };
  assert.match(bodyText(await member.post('/items', fields)), /Drill[\s\S]*<button>Try again</);
  const refused = await member.post('/items', fields, foreign);
  assert.equal(refused.status, 503);
  assert.doesNotMatch(bodyText(refused), /Drill|<button>Try again/);
  const draft = JSON.stringify({ action: '/items', path: '/items/new', fields, once: 'theirs' });
  const logIn = await createVisitor(application).post('/login', { draft }, foreign);
  assert.equal(logIn.status, 403);
  assert.doesNotMatch(bodyText(logIn), /Drill|name="draft"/);
});

test('a log-in without a database has no button to send it again, because no page repeats a password', async (t) => {
  const database = await openTestDatabase(t);
  const fail = () => Promise.reject(new DatabaseUnavailable('away'));
  const door = { ...database.door, read: { ...database.door.read, run: fail } };
  const application = await createTestApplication(t, { database: { ...database, door } });
  const visitor = createVisitor(application);
  const answer = await visitor.post('/login', {
    username: 'ada',
    password: 'correct horse',
    _once: 'the-same-page',
  });
  assert.equal(answer.status, 503);
  assert.doesNotMatch(bodyText(answer), /correct horse|<button>Try again/);
});

test('a form with an interrupted commit says that the outcome is unknown, and that it is safe to send again', async (t) => {
  const member = await createMember(await createWithoutDatabase(t, 'unknown'));
  const answer = await member.submit('/items/new', { name: 'Drill' });
  assert.equal(answer.status, 503);
  assert.equal(headerOf(answer, 'Retry-After'), '5');
  assert.match(bodyText(answer), /We don’t know whether it was saved\./);
  assert.match(bodyText(answer), /send the same form again: it is saved only once/);
  assert.doesNotMatch(bodyText(answer), /Nothing was saved/);
  assert.match(bodyText(answer), /<dt>Name<\/dt><dd>Drill<\/dd>/);
});

test('a form with an interrupted commit, sent again, counts once', {
  skip: ENGINES[1].skip,
}, async (t) => {
  const there = await openTestDatabase(t, 'postgres');
  const proxy = await createProxy(t, there.url);
  const database = await openDatabase(proxy.url, PATIENT);
  t.after(() => database.close());
  const member = await createMember(
    await createTestApplication(t, { database: { ...database, url: proxy.url, file: '' } }),
  );
  const form = { name: 'Drill', _once: 'the-same-page' };
  proxy.cutAfter('commit\0');
  const answer = await member.post('/items', form);
  assert.equal(answer.status, 503);
  assert.match(bodyText(answer), /We don’t know whether it was saved\./);
  const again = await member.post('/items', form);
  assert.equal(again.status, 303);
  assert.equal(headerOf(again, 'Location'), '/items/1');
  const items = await there.read.selectFrom('items').select(['number', 'name']).execute();
  assert.deepEqual(items, [{ number: 1, name: 'Drill' }]);
});
