/** Starts a thread whose program is in this folder. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

export function startThread(name: 'checkpoint' | 'read', workerData: unknown): Worker {
  const url = new URL(`./${name}-thread${extname(import.meta.url)}`, import.meta.url);
  // Without the options of this process, which may be meant for its first file alone.
  return new Worker(url, { name, workerData, execArgv: [] });
}
