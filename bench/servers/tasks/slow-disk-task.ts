/** The effect of a disk with slow syncs on creates, and on readers of the list at the same time. */
import { generateLoad } from '../harness/generate-load.ts';
import { probe } from '../harness/probe.ts';
import { slowDisk } from '../harness/slow-disk.ts';
import { median, percentile } from '../harness/statistics.ts';
import type { Task } from '../harness/task.ts';
import { startFresh } from '../harness/things.ts';
import { getRequest, logIn } from '../harness/visit.ts';
import { checkForms, createRequest } from './create-task.ts';
import type { Durations } from './load-task.ts';

/** Number of readers of the list. */
const READERS = 4;
/**
 * Seconds at least: where every create stops the whole process, a reader gets an answer a second.
 */
const MIN = 5;

export function createSlowDiskTask(delay: number, { warmUp, seconds }: Durations): Task {
  const long = Math.max(MIN, seconds);
  return {
    name: `create-${delay}ms`,
    title: `creates on a disk whose sync takes ${delay} ms longer`,
    kind: 'items',
    yardstick: null,
    figures: ['creates', 'p99', 'listP50', 'listP99'],
    async measure(subject) {
      const environment = slowDisk(delay);
      if (environment['LD_PRELOAD'] === undefined) return null;
      const server = await startFresh(subject, environment);
      try {
        const cookie = await logIn(server.url);
        await checkForms(server, cookie);
        const list = getRequest('/items', { Cookie: cookie });
        await generateLoad(server.url, createRequest(cookie), warmUp);
        const { result, times } = await probe(server.url, list, READERS, () =>
          generateLoad(server.url, createRequest(cookie), long),
        );
        return {
          creates: result.requests / result.seconds,
          p99: result.p99,
          listP50: median(times),
          listP99: percentile(times, 99),
        };
      } finally {
        await server.stop();
      }
    },
  };
}
