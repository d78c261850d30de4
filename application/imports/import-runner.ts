/**
 * Runs confirmed imports in the background, one at a time per process. Every process polls for imports, so that
 * another one, or the next start, continues the import of a process that was killed. A schedule would wake one process
 * alone, which may be busy with an import.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from 'seeother/database';
import type { ErrorEntry } from '../settings/error-line.ts';
import type { Imports } from './import-model.ts';
import type { StepResult } from './import-step.ts';

/** Milliseconds between two polls for an import that no process runs. */
const POLL = 10_000;
/** Milliseconds until the next try while the database is unavailable. */
const RETRY = 1_000;

export interface ImportRunner {
  /** Looks for an import now, and then polls. */
  readonly start: () => void;
  /** Looks for an import now. Does nothing before `start`. */
  readonly wake: () => void;
  /** Why the last step of the import has failed, if it will be tried again; null otherwise. */
  readonly waitsFor: (id: number) => DatabaseUnavailable | null;
  /** Finishes the current step, and leaves the rest to other processes. */
  readonly stop: () => Promise<void>;
}

export function createImportRunner(
  imports: Pick<Imports, 'findWaiting' | 'step' | 'release' | 'fail'>,
  report: (entry: ErrorEntry) => void,
): ImportRunner {
  const holder = randomUUID();
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let mustLookAgain = false;
  let hasRun = false;
  let waiting: { readonly id: number; readonly error: DatabaseUnavailable } | null = null;

  async function runAll(): Promise<void> {
    try {
      do {
        mustLookAgain = false;
        const id = await imports.findWaiting();
        if (id === null) continue;
        mustLookAgain = true;
        await runOne(id);
      } while (mustLookAgain && !stopping.signal.aborted);
    } catch (error) {
      // The next poll looks again.
      if (!(error instanceof DatabaseUnavailable))
        report({ message: 'Cannot run imports.', error });
    } finally {
      running = null;
    }
  }

  async function runOne(id: number): Promise<void> {
    hasRun = true;
    for (let result: StepResult = 'more'; result === 'more' && !stopping.signal.aborted; )
      try {
        result = await imports.step(id, holder);
        waiting = null;
      } catch (error) {
        result = await afterError(id, error);
      }
  }

  async function afterError(id: number, error: unknown): Promise<StepResult> {
    if (error instanceof DatabaseUnavailable) {
      waiting = { id, error };
      await sleep(RETRY, undefined, { signal: stopping.signal }).catch(() => {});
      return 'more';
    }
    waiting = null;
    report({ message: `The import ${id} was stopped by an error.`, error });
    await imports.fail(id, 'An error has stopped the import. The log of the site has the details.');
    return 'over';
  }

  function wake(): void {
    mustLookAgain = true;
    if (timer === undefined || stopping.signal.aborted) return;
    running ??= runAll();
  }

  return {
    wake,
    waitsFor: (id) => (waiting?.id === id ? waiting.error : null),
    start() {
      timer = setInterval(wake, POLL);
      timer.unref();
      wake();
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
      if (hasRun) await imports.release(holder).catch(() => {});
    },
  };
}
