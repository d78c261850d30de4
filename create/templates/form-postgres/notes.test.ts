import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { Database } from 'seeother/database';
import { openPostgres, parsePostgresUrl } from 'seeother/postgres';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import { createTables, listNotes } from './notes.ts';
import { createRouter } from './router.ts';

const { TEST_DATABASE_URL = '' } = process.env;
const skip =
  TEST_DATABASE_URL === '' &&
  'Write TEST_DATABASE_URL into .env: an empty database, other than that of DATABASE_URL.';

suite('notes', { skip }, () => {
  let database: Database;
  let router: ReturnType<typeof createRouter>;

  before(async () => {
    database = await openPostgres(parsePostgresUrl(TEST_DATABASE_URL), { migrate: createTables });
    router = createRouter(database, { log: false });
  });

  after(() => database.close());

  test('a form that is sent twice adds one note, and the message is shown once', async () => {
    const visitor = createVisitor(router);
    const text = `Buy milk ${randomUUID()}`;
    const form = { ...hiddenFields(bodyText(await visitor.get('/'))), text };
    const answers = await Promise.all([visitor.post('/', form), visitor.post('/', form)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    );
    const notes = await listNotes(database.read);
    assert.equal(notes.filter((note) => note.text === text).length, 1);
    assert.match(bodyText(await visitor.get('/')), /The note was added\.[\s\S]*<li>Buy milk/);
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
});
