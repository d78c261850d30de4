import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { openTestDatabase } from '../testing/test-folder.ts';
import { createCheckpoints, LOG_SIZE } from './checkpoints.ts';

const MEGABYTE = 1_048_576;

/** A thread that only counts what it is asked for. */
class FakeThread extends EventEmitter {
  asked = 0;
  unref() {}
  postMessage() {
    this.asked++;
  }
}

function createFake() {
  const reports: string[] = [];
  const threads: FakeThread[] = [];
  let canStart = true;
  const checkpoints = createCheckpoints(
    'application.db',
    ({ message, error = '' }) => reports.push(`${message} ${error}`),
    () => {
      if (!canStart) throw new Error('EAGAIN');
      const thread = new FakeThread();
      threads.push(thread);
      return thread as unknown as Worker;
    },
  );
  return {
    note: checkpoints.note,
    reports,
    threads,
    asked: () => threads.map(({ asked }) => asked),
    allowStart: (isAllowed: boolean) => {
      canStart = isAllowed;
    },
  };
}

test('a log that has outgrown its size is checkpointed, and shrinks with the next write', async (t) => {
  const { database, file } = await openTestDatabase(t);
  const logSize = () => statSync(`${file}-wal`).size;
  await database.write(async ({ run }) => {
    await run('create table large (content blob)');
    await run(`insert into large values (zeroblob(${2 * LOG_SIZE}))`);
  });
  assert.ok(logSize() > 2 * LOG_SIZE);
  const limit = performance.now() + 60_000;
  while (logSize() > LOG_SIZE) {
    assert.ok(performance.now() < limit, 'the log has not shrunk');
    await database.write(({ run }) => run('insert into large values (null)'));
  }
  const other = new DatabaseSync(file, { readOnly: true });
  t.after(() => other.close());
  const row = other.prepare('select max(length(content)) as length from large').get();
  assert.equal(row?.['length'], 2 * LOG_SIZE);
});

test('a log that grew behind a long read shrinks after it, without another write', async (t) => {
  const { database, file } = await openTestDatabase(t);
  const reader = new DatabaseSync(file, { readOnly: true });
  t.after(() => reader.close());
  await database.write(({ run }) => run('create table large (content blob)'));
  reader.exec('begin');
  const count = reader.prepare('select count(*) as count from large');
  assert.equal(count.get()?.['count'], 0);
  for (let at = 0; at < 6; at++)
    await database.write(({ run }) => run(`insert into large values (zeroblob(${LOG_SIZE / 2}))`));
  const logSize = () => statSync(`${file}-wal`, { bigint: true });
  const { ino, size } = logSize();
  assert.ok(size > 3 * LOG_SIZE);
  assert.equal(count.get()?.['count'], 0);
  reader.exec('commit');
  const limit = performance.now() + 60_000;
  while (logSize().size > LOG_SIZE) {
    assert.ok(performance.now() < limit, 'the log has not shrunk');
    await sleep(50);
  }
  // A write is synced through a descriptor that was opened at the start.
  assert.equal(logSize().ino, ino);
  await database.write(({ run }) => run('insert into large values (null)'));
  assert.equal(count.get()?.['count'], 7);
});

test('a checkpoint is due when the log has grown by its size, whether or not it shrank before', () => {
  const { note, asked } = createFake();
  note(LOG_SIZE);
  assert.deepEqual(asked(), []);
  note(LOG_SIZE + 1);
  note(LOG_SIZE + 2);
  assert.deepEqual(asked(), [1], 'asked again while the first is under way');
  note(LOG_SIZE);
  note(LOG_SIZE + 1);
  assert.deepEqual(asked(), [2]);
  note(2 * LOG_SIZE + 2);
  assert.deepEqual(asked(), [3]);
});

test('a thread that cannot start, or ends, is reported, and a later checkpoint starts another', () => {
  const { note, reports, threads, asked, allowStart } = createFake();
  allowStart(false);
  note(17 * MEGABYTE);
  assert.match(reports.join(), /^Cannot checkpoint application\.db: .* EAGAIN$/);
  allowStart(true);
  note(34 * MEGABYTE);
  assert.deepEqual(asked(), [1]);
  threads[0]?.emit('error', new Error('disk I/O error'));
  assert.match(String(reports[1]), /^Cannot checkpoint application\.db: .* disk I\/O error$/);
  note(51 * MEGABYTE);
  assert.deepEqual(asked(), [1, 1]);
});

test('a log that grows beyond 64 MB is reported once, until it has shrunk', () => {
  const { note, reports } = createFake();
  const sizes = [64, 65, 100, 16, 64, 70];
  for (const size of sizes) note(size * MEGABYTE);
  assert.equal(reports.length, 2);
  assert.match(String(reports[0]), /application\.db-wal has 65 MB: a program that reads/);
});
