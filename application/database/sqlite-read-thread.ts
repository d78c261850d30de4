/** The thread of slow reads from a SQLite file: it runs one query at a time, on a connection of its own. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { keepStatements } from './sqlite-statements.ts';

export interface ReadThreadData {
  readonly file: string;
  /** Milliseconds to wait for a lock. */
  readonly timeout: number;
}

export interface Question {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** An error loses its code on the way to another thread. */
export type Reply =
  | { readonly rows: readonly object[] }
  | { readonly failure: { readonly message: string; readonly errcode: unknown } };

const { file, timeout } = workerData as ReadThreadData;
const run = keepStatements(new DatabaseSync(file, { readOnly: true, timeout }));

function answer({ sql, parameters }: Question): Reply {
  try {
    return { rows: run(sql, parameters).rows };
  } catch (error) {
    const { message, errcode } = error as { readonly message: string; readonly errcode?: unknown };
    return { failure: { message, errcode } };
  }
}

parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)));
