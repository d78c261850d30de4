/**
 * A few readers during a load, and how long they wait for answers. The last request of each is awaited,
 * however long it takes, so that a blocked server does not look fast.
 */
import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { askServer } from '../../../scripts/ask-server.ts';
import type { LoadRequest } from './generate-load.ts';

/** Milliseconds between an answer and the next request of the same reader. */
const PAUSE = 10;

/** Resolves to the milliseconds of every answer. The connections are open before `meanwhile` begins. */
export async function probe<T>(
  url: string,
  { path, headers }: LoadRequest,
  readers: number,
  meanwhile: () => Promise<T>,
): Promise<{ readonly result: T; readonly times: readonly number[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: readers });
  const ask = async () => {
    const started = performance.now();
    const { status } = await askServer(url, path, { headers, agent });
    if (status !== 200) throw new Error(`A reader got ${status}.`);
    return performance.now() - started;
  };
  await Promise.all(Array.from({ length: readers }, ask));

  let over = false;
  const times: number[] = [];
  const read = async () => {
    while (!over) {
      times.push(await ask());
      await setTimeout(PAUSE);
    }
  };
  const reading = Promise.all(Array.from({ length: readers }, read));
  const result = await meanwhile();
  over = true;
  await reading;
  agent.destroy();
  return { result, times };
}
