/**
 * What the thread that writes can be told, and what it makes of it: many pieces of work in one
 * transaction, each in a savepoint of its own. Whoever sends the steps says only where a piece of work
 * ends; the transaction begins with the first statement, and a savepoint with the first of each work.
 *
 * The hard case: a failure. A statement that fails takes its own work back and no other; all further
 * statements of that work fail with the same error. When SQLite ends the transaction, as on a full
 * disk, or it cannot begin, everything fails until the next commit, which fails too.
 */
import type { DatabaseSync } from 'node:sqlite';
import { keepStatements, type Ran } from './sqlite-statements.ts';

export type Step =
  | { readonly kind: 'run'; readonly sql: string; readonly parameters: readonly unknown[] }
  /** The work is done: fails when one of its statements has failed. */
  | { readonly kind: 'end' }
  /** The work takes back all that it did. */
  | { readonly kind: 'undo' }
  | { readonly kind: 'commit' };

/** An error loses all but its message between threads: what tells it apart goes beside it. */
export interface Failure {
  readonly message: string;
  readonly code: string | undefined;
  readonly errcode: number | undefined;
  /** It was the commit itself that failed. */
  readonly inCommit: boolean;
}

/** One for each step, in the same order. */
export type Answer = Ran | { readonly failure: Failure };

const DONE: Answer = { rows: [] };

/** `begin` begins the transaction, and may wait for the lock of another process. */
export function createTakeStep(database: DatabaseSync, begin: () => void): (step: Step) => Answer {
  const runStatement = keepStatements(database);
  const control = (sql: string) => runStatement(sql, []);
  /** Of the whole transaction, until its commit. */
  let broken: Answer | null = null;
  /** Of this work, until its end. */
  let failed: Answer | null = null;
  let isWorking = false;

  /** Whatever goes wrong is an answer: of the work, while there is a transaction to go on with. */
  const attempt = (act: () => Answer, inCommit = false): Answer => {
    try {
      return act();
    } catch (error) {
      const answer = { failure: toFailure(error, inCommit) };
      if (isWorking && database.isTransaction) failed = answer;
      else broken = answer;
      return answer;
    }
  };

  const run = (sql: string, parameters: readonly unknown[]): Answer =>
    broken ??
    failed ??
    attempt(() => {
      if (!database.isTransaction) begin();
      if (!isWorking) control('savepoint work');
      isWorking = true;
      return runStatement(sql, parameters);
    });

  const leave = (takesBack: boolean): Answer => {
    const answer = broken ?? failed ?? DONE;
    const hasSavepoint = isWorking && broken === null;
    takesBack ||= failed !== null;
    isWorking = false;
    failed = null;
    if (!hasSavepoint) return answer;
    const left = attempt(() => {
      if (takesBack) control('rollback to work');
      control('release work');
      return DONE;
    });
    return 'failure' in left ? left : answer;
  };

  const commit = (): Answer => {
    const answer =
      broken ??
      attempt(() => {
        if (database.isTransaction) control('commit');
        return DONE;
      }, true);
    broken = null;
    // What could not be saved must not become a part of the next transaction.
    if (database.isTransaction) control('rollback');
    return answer;
  };

  return (step) => {
    switch (step.kind) {
      case 'run':
        return run(step.sql, step.parameters);
      case 'end':
        return leave(false);
      case 'undo':
        return leave(true);
      case 'commit':
        return commit();
    }
  };
}

function toFailure(error: unknown, inCommit: boolean): Failure {
  const { code, errcode } = error as { readonly code?: string; readonly errcode?: number };
  const message = error instanceof Error ? error.message : String(error);
  return { message, code, errcode, inCommit };
}
