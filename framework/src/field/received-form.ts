/** A form that is not read into memory as a whole, because it has files. A field with a file brings the function. */
import type { Context } from '../chain/context.ts';
import type { Entry } from '../http/urlencoded.ts';

export interface ReceivedForm {
  /** What has arrived, also of a form that is refused. A file that was not stored has its name alone. */
  readonly entries: readonly Entry[];
  /** Why the form must not be carried out, such as a file that could not be stored. Null if it may be. */
  readonly refusal: unknown;
  /** Whether all of it has arrived, and none of it was too large: then a page may offer to send it again. */
  readonly isWhole: boolean;
  /**
   * Ends the files that a form which is over has brought, or those that its page does not refer to any more. `text` is
   * that of the form as the page shows it.
   */
  readonly end: (isOver: boolean, text: object) => Promise<void>;
}

/**
 * Receives the form of a request once: later calls get the same. With `refused`, the form is refused already and is
 * received for its error page: `parks` says whether that page can refer to the files. Throws a 415 for another type of
 * body.
 */
export type Receive = (
  context: Context,
  refused?: { readonly parks: boolean },
) => Promise<ReceivedForm>;

/** The form, unless it must not be carried out: then throws the reason. */
export async function receiveWhole(receive: Receive, context: Context): Promise<ReceivedForm> {
  const received = await receive(context);
  if (received.refusal !== null) throw received.refusal;
  return received;
}
