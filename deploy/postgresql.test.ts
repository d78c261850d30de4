/** Tests the PostgreSQL files with a primary and its standby. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../application/database/open-database.ts';
import { addItem, createTestFolder } from '../application/testing/open-test-database.ts';
import { runSql } from '../application/testing/postgres/cluster.ts';
import { skipWithoutPrograms } from '../application/testing/postgres/find-programs.ts';
import {
  addressOf,
  createPostgresServer,
  createStandby,
  type PostgresServer,
  preparePrograms,
  promote,
} from '../faults/postgres-server.ts';
import { readText } from '../scripts/project-files.ts';

const ITEM = { name: 'Ladder', description: '', quantity: 1, location: '', tags: [] };

test('a primary and a standby accept every setting, and losing the primary loses nothing', {
  skip: skipWithoutPrograms(),
  timeout: 60_000,
}, async (t) => {
  const folder = createTestFolder(t);
  const bin = preparePrograms(folder);
  const archive = join(folder, 'archive');
  mkdirSync(archive);
  chmodSync(archive, 0o777);
  const read = (name: string) =>
    readText(`deploy/${name}`)
      .replaceAll('/var/backups/wal', archive)
      // Nobody from elsewhere gets to a server of the tests.
      .replace("listen_addresses = '*'", "listen_addresses = '127.0.0.1'");

  const primary = await createPostgresServer(folder, bin, read('postgresql-primary.conf'));
  t.after(() => primary.stop('immediate'));
  await primary.start();
  assert.deepEqual(await findErrors(primary), []);
  await ask(primary, "select pg_create_physical_replication_slot('standby1')");
  await ask(primary, 'create database items');

  const standby = await createStandby(folder, bin, primary, read('postgresql-standby.conf'));
  t.after(() => standby.stop('immediate'));
  assert.deepEqual(await findErrors(standby), []);
  assert.deepEqual(await ask(primary, 'select slot_name, active from pg_replication_slots'), [
    { slot_name: 'standby1', active: true },
  ]);

  const database = await openDatabase(addressOf([primary, standby], 'items'));
  t.after(database.close);
  const number = await addItem(database, ITEM);
  await ask(primary, 'select pg_switch_wal()');
  while (readdirSync(archive).length === 0) await sleep(50);
  await primary.stop('immediate');
  await promote(standby);

  const query = 'select number, name from items';
  const rows = await runSql(addressOf(standby, 'items'), query);
  assert.deepEqual(rows, [{ number: String(number), name: 'Ladder' }]);
  assert.deepEqual(await ask(standby, 'show synchronous_commit'), [{ synchronous_commit: 'on' }]);
});

function ask(server: PostgresServer, query: string) {
  return runSql(addressOf(server, 'postgres'), query);
}

/** Settings in the files that the server could not parse or apply. */
function findErrors(server: PostgresServer) {
  return ask(server, 'select name, setting, error from pg_file_settings where error is not null');
}
