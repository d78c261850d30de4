/** What both engines are opened with. */
import type { ErrorEntry } from '../process/error-line.ts';

export interface OpenOptions {
  /** Is told what no caller waits for, such as an idle connection that broke. */
  readonly report: (entry: ErrorEntry) => void;
  /**
   * Called once, when the disk has failed to save: what it holds is unknown, and nothing more is written.
   * The process has to end, and the next one finds out.
   */
  readonly onLost: (error: Error) => void;
  /** Whether a database that a newer version has migrated is used; otherwise it is refused. */
  readonly acceptsNewer: boolean;
  /** Milliseconds that a statement waits for a connection, a lock or an answer. */
  readonly timeout: number;
}
