/** A form that is not read into memory as a whole, because it has files. A field with a file brings the function. */
import type { Context } from '../chain/context.ts';
import type { Entry } from './urlencoded.ts';

export interface ReceivedForm {
  readonly entries: readonly Entry[];
  /**
   * What has kept a file from being stored; null if nothing has. The form cannot be carried out then, and its text is for
   * the error page.
   */
  readonly failure: unknown;
  /**
   * Ends the files that a form which is over has brought, or those that its page does not refer to any more. `text` is
   * that of the form as the page shows it.
   */
  readonly end: (isOver: boolean, text: object) => Promise<void>;
}

/** Receives the form of a request once: later calls get the same. Throws a 415 for another type of body. */
export type Receive = (context: Context) => Promise<ReceivedForm>;
