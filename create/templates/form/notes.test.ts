import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import { listNotes, migrate } from './database.ts';
import { openTestDatabase } from './open-database.ts';
import { createRouter } from './router.ts';

const database = await openTestDatabase(migrate);
const router = createRouter(database, { log: false });

after(() => database.close());

test('a form that is sent twice adds one note, and the message is shown once', async () => {
  const visitor = createVisitor(router);
  const form = { ...hiddenFields(bodyText(await visitor.get('/'))), text: 'Buy milk' };
  const answers = await Promise.all([visitor.post('/', form), visitor.post('/', form)]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  );
  const notes = await listNotes(database.read);
  assert.deepEqual(
    notes.map(({ text }) => text),
    ['Buy milk'],
  );
  assert.match(bodyText(await visitor.get('/')), /The note was added\.[\s\S]*<li>Buy milk<\/li>/);
  assert.doesNotMatch(bodyText(await visitor.get('/')), /The note was added/);
});

test('an empty form is shown again with its error', async () => {
  const answer = await createVisitor(router).submit('/', { text: ' ' });
  assert.equal(answer.status, 400);
  assert.match(bodyText(answer), /Write a note/);
});

test('a form that another site sends is refused', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  const answer = await createVisitor(router).submit('/', { text: 'Buy milk' }, { headers });
  assert.equal(answer.status, 403);
});
