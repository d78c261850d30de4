import test from 'node:test';
import { skipWithoutPrograms } from '../application/testing/postgres/find-programs.ts';
import { createPostgresPlace } from './disturb-postgres.ts';
import { holds } from './kill-during-changes.ts';
import { createSqlitePlace } from './kill-during-creates.ts';
import { createBucketPlace, createFolderPlace } from './places-of-files.ts';

// `npm run faults` kills it thirty times in each place.
test('every change counts once when the service is killed, the history adds up, and no file is left over', async () => {
  await holds(await createSqlitePlace(), createFolderPlace(), 'ok');
});

test('every change counts once when the service is killed, on PostgreSQL, with files in a bucket', {
  skip: skipWithoutPrograms(),
}, async () => {
  await holds(await createPostgresPlace(), await createBucketPlace(), null);
});
