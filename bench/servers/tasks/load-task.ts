/**
 * Measures a load: a fresh process, an answer that is checked, a warm-up, and then the measured
 * load.
 */
import { generateLoad } from '../harness/generate-load.ts';
import { readCpuTime } from '../harness/process-figures.ts';
import type { Task } from '../harness/task.ts';
import { startFresh } from '../harness/things.ts';
import { type Answer, visit } from '../harness/visit.ts';
import type { Work } from './works.ts';

export interface Durations {
  /** Whole seconds. */
  readonly warmUp: number;
  readonly seconds: number;
}

export function createLoadTask(work: Work, { warmUp, seconds }: Durations): Task {
  const { name, title, kind, yardstick } = work;
  let reference: Answer | null = null;
  return {
    name,
    title,
    kind,
    yardstick,
    figures: ['cpu', 'throughput'],
    async measure(subject) {
      const server = await startFresh(subject, work.environment);
      try {
        const request = await work.prepare(server);
        if (request === null) return null;
        const answer = await visit(server.url, request);
        // The yardstick comes first, and need not do the same.
        if (subject.name === yardstick.name && subject.kind === yardstick.kind) reference = answer;
        else work.check(answer, reference ?? answer);
        await generateLoad(server.url, request, warmUp);
        const before = readCpuTime(server.pid);
        const { requests, seconds: took } = await generateLoad(server.url, request, seconds);
        const cpu = (readCpuTime(server.pid) - before) / requests;
        return { cpu, throughput: requests / took };
      } finally {
        await server.stop();
      }
    },
  };
}
