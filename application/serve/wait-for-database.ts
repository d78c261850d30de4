/**
 * After a boot the database may start later than the service, so a start waits for an unavailable
 * database. It does not wait if a setting is wrong: an administrator must fix that.
 */
import { setTimeout } from 'node:timers/promises';
import { DatabaseUnavailable } from 'seeother/database';
import { DatabaseAway } from '../database/open-database.ts';
import type { ErrorEntry } from '../settings/error-line.ts';

/** Milliseconds between two attempts. */
const PAUSE = 1_000;

/** Reports the reason once, and again if it changes. */
export async function waitForDatabase<T>(
  report: (entry: ErrorEntry) => void,
  open: () => Promise<T>,
): Promise<T> {
  let reason = '';
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof DatabaseAway || error instanceof DatabaseUnavailable)) throw error;
      if (error.message !== reason)
        report({ message: `Waiting for the database. ${error.message}` });
      reason = error.message;
    }
    await setTimeout(PAUSE);
  }
}
