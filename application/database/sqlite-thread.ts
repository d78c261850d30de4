/**
 * The thread that writes to a SQLite file, on a connection that nobody else uses: a wait for the disk,
 * or for the lock of another process, holds up nothing but writes. It imports nothing that takes time
 * to load: the first write of a process waits for it.
 *
 * The hard case: other processes that want to write, too. SQLite hands its lock to whoever asks at
 * the right moment, so this thread asks often, and after each transaction leaves them a moment.
 */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { type Answer, createTakeStep, type Step } from './sqlite-steps.ts';

export interface ThreadData {
  readonly file: string;
  /** How the connection is set up, and how a transaction begins. */
  readonly setUp: string;
  readonly begin: string;
  /** Milliseconds to wait for the lock of another process. */
  readonly lockTimeout: number;
}

/** Milliseconds between two tries to get the lock. */
const TRY_AGAIN = 1;
/** Of the time that a transaction took; at most until whoever waits has tried once. */
const REST = 0.05;
const SQLITE_BUSY = 5;

const { file, setUp, begin, lockTimeout } = workerData as ThreadData;
const database = new DatabaseSync(file, {
  timeout: lockTimeout,
  enableForeignKeyConstraints: true,
});
database.exec(setUp);
// From here on this thread itself asks again.
database.exec('pragma busy_timeout = 0');

const clock = new Int32Array(new SharedArrayBuffer(4));
const sleep = (milliseconds: number) => Atomics.wait(clock, 0, 0, milliseconds);
let begunAt = 0;

function beginTransaction(): void {
  const deadline = performance.now() + lockTimeout;
  for (;;) {
    try {
      database.exec(begin);
      begunAt = performance.now();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      sleep(TRY_AGAIN);
    }
  }
}

function isBusy(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === 'number' && (errcode & 0xff) === SQLITE_BUSY;
}

const takeStep = createTakeStep(database, beginTransaction);

parentPort?.on('message', (steps: readonly Step[] | null) => {
  if (steps === null) {
    database.close();
    parentPort?.close();
    return;
  }
  let answers: Answer[] = [];
  const answer = () => {
    parentPort?.postMessage(answers);
    answers = [];
  };
  for (const [index, step] of steps.entries()) {
    answers.push(takeStep(step));
    if (step.kind !== 'commit') continue;
    // Whoever waits for it shall not wait for the lock of the next transaction.
    answer();
    if (index + 1 < steps.length) sleep((performance.now() - begunAt) * REST);
  }
  if (answers.length > 0) answer();
});
