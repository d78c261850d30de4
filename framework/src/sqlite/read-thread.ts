/** The thread of slow reads: it runs one query at a time, on a connection of its own. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Value } from '../database/database.ts';
import { prepareStatements } from './statements.ts';

export interface ReadThreadData {
  readonly file: string;
  /** Milliseconds to wait for a lock. */
  readonly timeout: number;
}

export interface Question {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** An error loses its code on the way to another thread. */
export type Reply =
  | { readonly rows: readonly object[] }
  | { readonly failure: { readonly message: string; readonly errcode: unknown } };

const { file, timeout } = workerData as ReadThreadData;
const run = prepareStatements(new DatabaseSync(file, { readOnly: true, timeout }));

function answer({ sql, values }: Question): Reply {
  try {
    return { rows: run(sql, values).rows };
  } catch (error) {
    const { message, errcode } = error as { readonly message: string; readonly errcode?: unknown };
    return { failure: { message, errcode } };
  }
}

parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)));
