/** The thread of checkpoints: each message asks for one. What fails ends the thread with its error. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { SET_UP } from './checkpoints.ts';

/** Milliseconds to wait for the lock, and then, while no other connection can write, for readers. */
const LOCK_TIMEOUT = 200;

const database = new DatabaseSync(workerData as string, { timeout: LOCK_TIMEOUT });
database.exec(SET_UP);
// Most of the log, beside all readers and writers.
const copyMost = database.prepare('pragma wal_checkpoint(passive)');
// What was written meanwhile, with the lock: as long as one frame is left, the log only grows.
const copyRest = database.prepare('pragma wal_checkpoint(restart)');
parentPort?.on('message', () => {
  copyMost.get();
  copyRest.get();
});
