/** The thread of checkpoints: each message asks for one. What fails ends the thread with its error. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

export interface CheckpointData {
  readonly file: string;
  readonly setUp: string;
}

/** Milliseconds to wait for the lock, and then, while no other connection can write, for readers. */
const LOCK_TIMEOUT = 200;

const { file, setUp } = workerData as CheckpointData;
const database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT });
database.exec(setUp);
// Most of the log, beside all readers and writers.
const copyMost = database.prepare('pragma wal_checkpoint(passive)');
// What was written meanwhile, with the lock: as long as one frame is left, the log only grows.
const copyRest = database.prepare('pragma wal_checkpoint(restart)');
parentPort?.on('message', () => {
  copyMost.get();
  copyRest.get();
});
