/**
 * Runs confirmed imports in the background, one at a time in each process. A process that is killed leaves
 * its import to the others: they look for one now and then, and so does the next start.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from 'seeother/database';
import type { ErrorEntry } from '../process/error-line.ts';
import type { Imports } from './import-model.ts';

/** Milliseconds between two looks for an import that another process has left. */
const POLL = 10_000;
/** Milliseconds until the next try, when the database is away. */
const RETRY = 1_000;

export interface ImportRunner {
  /** Looks for an import now, and from then on now and then. */
  readonly start: () => void;
  /** Looks for an import now, if it was started. */
  readonly wake: () => void;
  /** Finishes the step that is under way, and leaves the rest to other processes. */
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
  let isAsked = false;
  let hasRun = false;

  async function runAll(): Promise<void> {
    try {
      while (!stopping.signal.aborted) {
        isAsked = false;
        const id = await imports.findWaiting().catch(waitForDatabase);
        if (typeof id === 'number') await runOne(id);
        else if (id === null && !isAsked) return;
      }
    } catch (error) {
      isAsked = false;
      report({ message: 'Cannot run imports.', error });
    } finally {
      running = null;
      if (isAsked) wake();
    }
  }

  async function runOne(id: number): Promise<void> {
    hasRun = true;
    for (;;) {
      const result = await imports.step(id, holder).catch((error) => afterError(id, error));
      if (result !== 'more' || stopping.signal.aborted) return;
    }
  }

  async function afterError(id: number, error: unknown): Promise<'more' | 'over'> {
    if (error instanceof DatabaseUnavailable) {
      await waitForDatabase(error);
      return 'more';
    }
    report({ message: `The import ${id} was stopped by an error.`, error });
    await imports.fail(id, 'An error has stopped it. It is in the log of the site.');
    return 'over';
  }

  /** Any other error is a bug. */
  async function waitForDatabase(error: unknown): Promise<undefined> {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    await sleep(RETRY, undefined, { signal: stopping.signal }).catch(() => {});
  }

  function wake(): void {
    isAsked = true;
    if (timer === undefined || stopping.signal.aborted) return;
    running ??= runAll();
  }

  return {
    wake,
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
