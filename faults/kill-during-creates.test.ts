import assert from 'node:assert/strict';
import test from 'node:test';
import { createSqlitePlace, killDuringCreates } from './kill-during-creates.ts';
import { compareBooks, createBooks, nextForm } from './send-forms.ts';

test('nothing is lost or doubled when the service is killed while forms are sent', async () => {
  const {
    acknowledged,
    unanswered,
    slowestStart: _,
    ...rest
  } = await killDuringCreates(2, await createSqlitePlace());
  assert.ok(acknowledged > 0 && unanswered > 0, `${acknowledged} and ${unanswered}`);
  const none = { lost: 0, ghosts: 0, doubled: 0, gaps: 0 };
  assert.deepEqual(rest, { rounds: 2, integrity: 'ok', ...none });
});

test('the comparison reports lost, ghost, doubled and skipped items', () => {
  const books = createBooks();
  const [first, second, third] = [nextForm(books), nextForm(books), nextForm(books)];
  first.path = '/items/1';
  second.path = '/items/2';
  const rows = [
    { number: 1, name: first.name },
    { number: 3, name: third.name },
    { number: 4, name: third.name },
    { number: 6, name: 'of nobody' },
  ];
  assert.deepEqual(compareBooks(books, rows), {
    acknowledged: 2,
    lost: 1,
    ghosts: 1,
    doubled: 1,
    gaps: 2,
  });
});
