/**
 * Another instance that changes a session. This worker thread opens the same database file and, on
 * a message, adds flashes to a session concurrently.
 */
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { openDatabase } from '../database/open-database.ts';
import { openStores, type Sessions } from './stores.ts';

export interface Flashes {
  readonly file: string;
  readonly key: string;
  readonly messages: readonly string[];
}

/**
 * Resolves when the other instance is ready, to a function that starts it and waits for its end.
 */
export async function prepareElsewhere(flashes: Flashes): Promise<() => Promise<void>> {
  const worker = new Worker(new URL(import.meta.url), { workerData: flashes });
  await once(worker, 'message');
  return async () => {
    const ended = once(worker, 'exit');
    worker.postMessage('go');
    const [code] = await ended;
    if (code !== 0) throw new Error(`The other instance ended with ${code}.`);
  };
}

/** Makes one change for each message, all concurrently. */
export async function addFlashes(
  sessions: Sessions,
  { key, messages }: Omit<Flashes, 'file'>,
): Promise<void> {
  const add = (message: string) =>
    sessions.update(key, (session) => ({
      ...session,
      flashes: [...session.flashes, { id: message, path: '/', message }],
    }));
  await Promise.all(messages.map(add));
}

if (parentPort !== null) {
  const flashes = workerData as Flashes;
  const database = await openDatabase(`sqlite:${flashes.file}`);
  parentPort.once('message', async () => {
    await addFlashes(openStores(database).sessions, flashes);
    await database.close();
  });
  parentPort.postMessage('ready');
}
