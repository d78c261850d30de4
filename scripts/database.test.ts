import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { createItems } from '../application/items/item.ts';
import { addSampleItems } from '../application/items/sample-items.ts';
import { findCommand } from '../application/testing/find-program.ts';
import {
  createTestFolder,
  ENGINES,
  openTestDatabase,
} from '../application/testing/open-test-database.ts';

const PROGRAM = findCommand('database');

function run(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('a copy says what it copied, with a checksum of each table', {
  skip: ENGINES[1].skip,
}, async (t) => {
  const first = await openTestDatabase(t, 'sqlite');
  await addSampleItems(first, createItems(first));
  const second = await openTestDatabase(t, 'postgres');
  const { status, stdout, stderr } = run('copy', first.url, second.url);
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  assert.match(stdout, /^items +6 +[0-9a-f]{64}$/m);
  assert.match(stdout, /^accounts +0 +[0-9a-f]{64}$/m);
  assert.equal((await createItems(second).list(1)).itemCount, 6);

  const back = `sqlite:${join(createTestFolder(t), 'back.db')}`;
  // The target has the tables that the framework makes when it first needs them.
  const copied = run('copy', second.url, back).stdout;
  assert.equal(copied.replaceAll(/^seeother_(files|values|outbox) .*\n/gm, ''), stdout);
  const again = run('copy', first.url, second.url);
  assert.equal(again.status, 1);
  assert.match(again.stderr, /^Cannot copy into a database that is not empty: .+\n$/);
  assert.equal(again.stdout, '');
});

test('a copy waits longer for a statement than the service does', {
  skip: ENGINES[1].skip,
}, async (t) => {
  const source = await openTestDatabase(t, 'sqlite');
  const target = await openTestDatabase(t, 'postgres');
  const child = await target.write(async (transaction) => {
    await sql`lock table items in exclusive mode`.execute(transaction);
    const started = spawn(process.execPath, [PROGRAM, 'copy', source.url, target.url]);
    // After the two seconds that a statement of the service may take.
    await setTimeout(4_000);
    return started;
  });
  const [code] = child.exitCode === null ? await once(child, 'close') : [child.exitCode];
  assert.equal(code, 0);
});

test('a failed copy is one line without a password, and exit code 1', (t) => {
  const file = `sqlite:${join(createTestFolder(t), 'application.db')}`;
  for (const words of [
    [],
    ['move', file, file],
    ['copy', file],
    ['copy', file, file],
    ['copy', file, 'postgres://ada:hunter2@127.0.0.1:1/things'],
    ['copy', file, 'postgres://ada:hunter2/x@127.0.0.1/things'],
    ['copy', file, 'mysql://ada:hunter2@127.0.0.1/things'],
  ]) {
    const { status, stdout, stderr } = run(...words);
    assert.equal(status, 1, words.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, /^Cannot \P{Cc}+\n$/u);
    assert.doesNotMatch(stderr, /hunter2/);
  }
});
