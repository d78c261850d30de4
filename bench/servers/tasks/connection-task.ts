/**
 * The memory per idle connection that has had an answer: 10,000 of them at once. It is read after Seeother's
 * sweep of the connections and after a collection, as is the memory without connections.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateLoad } from '../harness/generate-load.ts';
import { readMemory } from '../harness/process-figures.ts';
import { pinned } from '../harness/start-server.ts';
import type { Task } from '../harness/task.ts';
import { OBEYING, startFresh } from '../harness/things.ts';
import { getRequest } from '../harness/visit.ts';

const COUNT = 10_000;
/** Milliseconds; a sweep comes every 5 s. */
const SWEEP = 6_000;
const COLLECTION = 1_000;

export const CONNECTION_TASK: Task = {
  name: 'connection',
  title: 'memory of an idle connection, of 10,000',
  kind: 'guarded',
  yardstick: null,
  figures: ['connection'],
  maxRounds: 1,
  async measure(subject) {
    const server = await startFresh(subject, OBEYING);
    try {
      // What the code itself takes, once it has run, is no part of a connection.
      await generateLoad(server.url, getRequest('/items/42'), 1);
      const before = await readMemoryAtRest(server.pid);
      const holder = await holdConnections(server.url);
      const connection = ((await readMemoryAtRest(server.pid)) - before) / COUNT / 1_024;
      const open = await countOpen(holder);
      holder.kill();
      if (open < COUNT) throw new Error(`Only ${open} of ${COUNT} connections were kept open.`);
      return { connection };
    } finally {
      await server.stop();
    }
  },
};

async function readMemoryAtRest(pid: number): Promise<number> {
  await setTimeout(SWEEP);
  process.kill(pid, 'SIGUSR2');
  await setTimeout(COLLECTION);
  return readMemory(pid);
}

async function holdConnections(url: string): Promise<ChildProcess> {
  const script = join(import.meta.dirname, '../harness/hold-connections.ts');
  const [program = '', ...words] = pinned(1, [process.execPath, script, url, String(COUNT)]);
  const holder = spawn(program, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(holder, 'message');
  return holder;
}

async function countOpen(holder: ChildProcess): Promise<number> {
  const answer = once(holder, 'message');
  holder.send('count');
  const [open] = await answer;
  return Number(open);
}
