/** What both engines are opened with. */
import type { ErrorEntry } from '../error-line.ts';

export interface OpenOptions {
  /** Is told what no caller waits for, such as an idle connection that broke. */
  readonly report: (entry: ErrorEntry) => void;
  /** Milliseconds that a statement waits for a connection, a lock or an answer. */
  readonly timeout: number;
}
