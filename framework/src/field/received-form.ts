/** A form that is not read into memory as a whole, because it has files. A field with a file brings the function. */
import type { Context } from '../chain/context.ts';
import type { Awaitable } from '../http/awaitable.ts';
import type { Request } from '../http/request.ts';
import { Slot } from '../http/slot.ts';
import type { Entry } from '../http/urlencoded.ts';

export interface ReceivedForm {
  /** What has arrived, also of a form that is refused. A file that was not stored has its name alone. */
  readonly entries: readonly Entry[];
  /** Why the form must not be carried out, such as a file that could not be stored. Null if it may be. */
  readonly refusal: unknown;
  /** Whether all of it has arrived, and none of it was too large: then a page may offer to send it again. */
  readonly isWhole: boolean;
  /**
   * Parks the files that these texts of fields refer to: they do not end with the request. For whatever outlives it and
   * refers to them, such as the page that shows the form again.
   */
  readonly park: (texts: readonly string[]) => Promise<void>;
  /** Ends the files that were neither kept nor parked. The site calls it when the response is made. */
  readonly end: () => Promise<void>;
}

/** The form with files of a request that was received, or is being received. */
export const receivedSlot: Slot<Promise<ReceivedForm> | null> = new Slot(null);

/** Responds, and ends the files of the request. */
export async function endFiles<T>(request: Request, respond: () => Awaitable<T>): Promise<T> {
  try {
    return await respond();
  } finally {
    const received = await receivedSlot.of(request)?.catch(() => null);
    await received?.end();
  }
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
