import assert from 'node:assert/strict';
import test from 'node:test';
import pg from 'pg';
import { ENGINES } from '../testing/open-test-database.ts';
import { createBarePostgresDatabase } from '../testing/postgres/cluster.ts';

const skip = ENGINES.find(({ engine }) => engine === 'postgres')?.skip ?? false;

test('a database is dropped after its connections have ended, so none is terminated', {
  skip,
}, async () => {
  const { url, drop } = await createBarePostgresDatabase();
  const client = new pg.Client({ connectionString: url });
  const errors: string[] = [];
  client.on('error', ({ message }) => errors.push(message));
  await client.connect();
  // The end of a pool does not wait for this either.
  setTimeout(() => void client.end(), 20);
  await drop();
  assert.deepEqual(errors, []);
});
