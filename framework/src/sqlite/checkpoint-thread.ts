/**
 * The thread of checkpoints: each message asks for one. It tries again for as long as a read keeps the log from being
 * overwritten. An error ends the thread.
 */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { LOG_SIZE, SET_UP } from './checkpoints.ts';

/** Milliseconds to wait for the lock, and then, while no other connection can write, for readers. */
const LOCK_TIMEOUT = 200;
/** The same for the further tries, one every second. It is short, because writes wait meanwhile. */
const SHORT_TIMEOUT = 20;
const RETRY = 1_000;

const database = new DatabaseSync(workerData as string, { timeout: LOCK_TIMEOUT });
database.exec(SET_UP);
// Most of the log, beside all readers and writers.
const copyMost = database.prepare('pragma wal_checkpoint(passive)');
// What was written meanwhile, with the lock: as long as one frame is left, the log only grows.
const copyRest = database.prepare('pragma wal_checkpoint(restart)');
// The same, for a log that a long read has made large. It keeps the file, whose descriptor log.ts syncs.
const truncate = database.prepare('pragma wal_checkpoint(truncate)');
const pageSize = Number(database.prepare('pragma page_size').get()?.['page_size']);

let retry: NodeJS.Timeout | undefined;

function checkpoint(timeout: number): void {
  clearTimeout(retry);
  database.exec(`pragma busy_timeout = ${timeout}`);
  const pages = Number(copyMost.get()?.['log']);
  const finish = pages * pageSize > 2 * LOG_SIZE ? truncate : copyRest;
  if (finish.get()?.['busy'] === 1) retry = setTimeout(checkpoint, RETRY, SHORT_TIMEOUT);
}

parentPort?.on('message', () => checkpoint(LOCK_TIMEOUT));
