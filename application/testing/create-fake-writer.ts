/**
 * The near end of a thread that is none: it runs the steps of group commit on a database of this
 * thread, and answers when the test lets it.
 */
import type { DatabaseSync } from 'node:sqlite';
import { DatabaseUnavailable } from '../database/database-unavailable.ts';
import { createTakeStep, type Step } from '../database/sqlite-steps.ts';
import type { SqliteWriter } from '../database/sqlite-writer.ts';

export interface FakeWriter extends SqliteWriter {
  readonly steps: readonly Step['kind'][];
  /** From now on nothing is answered until `goOn`. */
  readonly hold: () => void;
  readonly goOn: () => void;
  /** Ends by itself: what is not answered yet never will be. */
  readonly die: () => void;
}

export function createFakeWriter(database: DatabaseSync): FakeWriter {
  const take = createTakeStep(database, () => database.exec('begin immediate'));
  const steps: Step['kind'][] = [];
  let gate = Promise.resolve();
  let open = () => {};
  let isAlive = true;
  const ended = (kind: Step['kind']) =>
    new DatabaseUnavailable('it ended.', { outcome: kind === 'commit' ? 'unknown' : 'not saved' });
  return {
    steps,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      open = resolve;
    },
    goOn: () => open(),
    die() {
      isAlive = false;
      open();
    },
    isAlive: () => isAlive,
    async post(step) {
      if (!isAlive) throw ended('undo');
      steps.push(step.kind);
      await gate;
      if (!isAlive) throw ended(step.kind);
      const answer = take(step);
      if ('failure' in answer) throw new Error(answer.failure.message);
      return answer;
    },
    close: async () => {},
  };
}
