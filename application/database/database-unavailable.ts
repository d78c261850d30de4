/**
 * The database cannot do its work at this moment: it is away, locked, full or too slow. That is no
 * error of ours, and it passes: whoever asked is told to try again.
 */

/** `unknown`: the connection broke while it committed, so the work may have been done. */
export type Outcome = 'not saved' | 'unknown';

export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly outcome: Outcome;

  /** `why` is for the log. It never holds an address of the database, which may hold a password. */
  constructor(why: string, options: { readonly cause?: unknown; readonly outcome?: Outcome } = {}) {
    super(`The database cannot be used now: ${why}`, { cause: options.cause });
    this.outcome = options.outcome ?? 'not saved';
  }
}
