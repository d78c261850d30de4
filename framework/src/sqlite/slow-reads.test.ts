import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import test from 'node:test';
import type { Worker } from 'node:worker_threads';
import { DatabaseUnavailable } from '../database/database.ts';
import { createSlowReads } from './slow-reads.ts';

test('a thread that cannot start, or ends, fails only its own read', async () => {
  const threads: FakeThread[] = [];
  let canStart = false;
  const { run } = createSlowReads({ file: 'application.db', timeout: 1 }, () => {
    if (!canStart) throw new Error('EAGAIN');
    const thread = new FakeThread();
    threads.push(thread);
    return thread as unknown as Worker;
  });
  const read = () => run('select 1');
  await assert.rejects(read(), DatabaseUnavailable);
  canStart = true;
  const failing = read();
  await asked(threads, 1);
  threads[0]?.emit('error', new Error('out of memory'));
  await assert.rejects(failing, DatabaseUnavailable);
  const reading = read();
  await asked(threads, 2);
  threads[1]?.emit('message', { 'watch:import': ['a file'] });
  threads[1]?.emit('message', { rows: [{ one: 1 }] });
  assert.deepEqual((await reading).rows, [{ one: 1 }]);
});

/** A thread that is told what to answer. */
class FakeThread extends EventEmitter {
  asked = 0;
  ref = () => this;
  unref = () => this;
  terminate = async () => 0;
  postMessage() {
    this.asked++;
  }
}

async function asked(threads: readonly FakeThread[], count: number): Promise<void> {
  while ((threads[count - 1]?.asked ?? 0) === 0)
    await new Promise((resolve) => setImmediate(resolve));
}
