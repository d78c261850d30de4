/** kill-during-changes.test.ts in the other places. */
import test from 'node:test';
import { skipWithoutPrograms } from '../application/testing/postgres/find-programs.ts';
import { createPostgresPlace } from './disturb-postgres.ts';
import { holds } from './kill-during-changes.ts';
import { createBucketPlace } from './places-of-files.ts';

test('every change counts once when the service is killed, on PostgreSQL, with files in a bucket', {
  skip: skipWithoutPrograms(),
}, async () => {
  await holds(await createPostgresPlace(), await createBucketPlace(), null);
});
