/**
 * Reports once that the disk of the database is full or fails, and once that it works again. Reads still work
 * meanwhile, so no health check fails. On a full disk a small write may succeed between two large ones, so the end is
 * reported only after a time without failures.
 */
import { type Database, DatabaseUnavailable, type OpenOptions } from './database.ts';

const WORDS = {
  full: 'the disk is full. Make room on it: they then continue by themselves.',
  fails: 'the disk fails. Check it.',
};
/** Milliseconds without a failure after which a write that succeeds counts as the end of the trouble. */
const CALM = 10_000;

export interface WriteWatch extends Pick<Database, 'writeFailure'> {
  /** Takes the error of a write, or null if it has succeeded. */
  readonly note: (error: unknown) => void;
}

/** Tests replace `now`. */
export function watchWrites(
  report: NonNullable<OpenOptions['report']>,
  now: () => number = () => performance.now(),
): WriteWatch {
  let failure: DatabaseUnavailable | null = null;
  let failedAt = 0;
  return {
    writeFailure: () => failure,
    note(error) {
      if (error instanceof DatabaseUnavailable && error.disk !== null) {
        if (failure === null) report({ message: `Writes fail: ${WORDS[error.disk]}`, error });
        failure = error;
        failedAt = now();
      } else if (error === null && failure !== null && now() - failedAt >= CALM) {
        failure = null;
        report({ message: 'Writes succeed again.' });
      }
    },
  };
}
