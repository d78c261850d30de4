import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, get } from 'seeother/testing';
import { createDatabase } from '../database/database.ts';
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

test('the message of a form that was sent twice is shown once', async (t) => {
  const member = await createMember(await createTestApplication(t));
  const fields = { name: 'Drill', quantity: '1', _once: 'the-same-key-twice-0001' };
  await member.post('/items', fields);
  const again = await member.post('/items', fields);
  assert.equal(bodyText(await member.follow(again)).split('was saved').length, 2);
});

test('a double click: the page of the second answer has the message that the lost first page had', async (t) => {
  const database = await openTestDatabase(t);
  const [one, other] = [
    await createTestApplication(t, { database }),
    await createTestApplication(t, { database }),
  ];
  const member = await createMember(one);
  const fields = { name: 'Drill', _once: 'the-same-key-twice-0001' };
  await member.post('/items', fields);
  const cookies = ['sid', 'awaited'].map((name) => `${name}=${member.cookie(name)}`).join('; ');
  const lose = () => other.handle(get('/items/1', { headers: { cookie: cookies } }));
  assert.ok(bodyText(await lose()).includes(SAVED));
  const again = await member.post('/items', fields);
  assert.ok(bodyText(await member.follow(again)).includes(SAVED));
  const afterBack = await member.post('/items', fields);
  assert.match(
    bodyText(await member.follow(afterBack)),
    /role="status">This form was carried out when you first sent it/,
  );
});

test('other pages and other users do not see the message', async (t) => {
  const application = await createTestApplication(t);
  const [ada, bo] = [await createMember(application, 'ada'), await createMember(application, 'bo')];
  await ada.submit('/items/new', { name: 'Drill' });
  for (const path of ['/items', '/items/new', '/items/9', '/login']) {
    assert.doesNotMatch(bodyText(await ada.get(path)), /class="flash"/, path);
  }
  assert.doesNotMatch(bodyText(await bo.get('/items/1')), /class="flash"/);
  assert.ok(bodyText(await ada.get('/items/1')).includes(SAVED));
});

test('a failed page keeps the message for the next attempt', async (t) => {
  let state: 'missing' | 'broken' | null = null;
  const application = await createTestApplication(t, {
    replace: ({ items }) => ({
      items: {
        ...items,
        find: async (number) => {
          if (state === 'broken') throw new Error('broken');
          return state === 'missing' ? null : items.find(number);
        },
      },
    }),
  });
  const member = await createMember(application);
  await member.submit('/items/new', { name: 'Drill' });
  for (const [how, status] of [
    ['missing', 404],
    ['broken', 500],
  ] as const) {
    state = how;
    const answer = await member.get('/items/1');
    assert.equal(answer.status, status);
    assert.doesNotMatch(bodyText(answer), /class="flash"/);
  }
  state = null;
  assert.ok(bodyText(await member.get('/items/1')).includes(SAVED));
});
