/**
 * The time from the start of the process to its first answer, and its memory at rest. A start before has
 * filled the compile cache, a folder for each contender, with the code that runs until the first answer.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readCpuTime, readMemory } from '../harness/process-figures.ts';
import type { Task } from '../harness/task.ts';
import { FOLDER, OBEYING, startFresh } from '../harness/things.ts';

/** Milliseconds until whatever the start has left to do is done. */
const REST = 1_000;

export const START_TASK: Task = {
  name: 'start',
  title: 'start to first answer, the list; memory at rest',
  kind: 'items',
  yardstick: null,
  figures: ['start', 'startCpu', 'memory'],
  async measure(subject) {
    const environment = { NODE_COMPILE_CACHE: join(FOLDER, 'compiled', subject.name) };
    if (!existsSync(environment.NODE_COMPILE_CACHE)) {
      await (await startFresh(subject, { ...environment, ...OBEYING })).stop();
    }
    const server = await startFresh(subject, environment);
    try {
      const startCpu = readCpuTime(server.pid) / 1_000;
      await setTimeout(REST);
      const memory = readMemory(server.pid) / 2 ** 20;
      return { start: server.firstAnswerAfter, startCpu, memory };
    } finally {
      await server.stop();
    }
  },
};
