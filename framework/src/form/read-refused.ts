/**
 * Reads a form that is refused, for its error page. The form may have been refused before anything of it was read: a
 * form with files is then received here, within the limits of its sender. Its files are parked if the page can refer to
 * them: that of a 401, which leads to the log-in, or that of a 429 or 503, which offers to send the form again.
 */
import type { Context } from '../chain/context.ts';
import type { Receive, ReceivedForm } from '../field/received-form.ts';
import { readRefusedBody } from '../http/body.ts';
import { errorSlot, HttpError } from '../http/http-error.ts';
import { isForm } from '../http/media-type.ts';
import { type Entry, parseUrlencoded } from '../http/urlencoded.ts';
import { formLimitOf, formOfRequest, maxEntriesOf } from './form-of.ts';
import { readEntries } from './read-form.ts';

/** A refused text is read up to this many times the limit of a form. */
export const REFUSED_LIMIT_FACTOR = 4;

/** Statuses whose pages can refer to a file. */
const PARKING: readonly unknown[] = [401, 429, 503];

export type RefusedForm = Pick<ReceivedForm, 'entries' | 'isWhole' | 'park'>;

/** What arrived of the form of a request. Rejects for no form: an unreadable one is empty. */
export async function readRefused(context: Context): Promise<RefusedForm> {
  const error = errorSlot.of(context.request);
  const receive = toReceive(context);
  const parks = error instanceof HttpError && PARKING.includes(error.status);
  try {
    if (receive !== null) return await receive(context, { parks });
    return { entries: await readEntries(context), isWhole: true, park: parkNothing };
  } catch {
    const entries = await readTooLarge(context).catch(() => []);
    return { entries, isWhole: false, park: parkNothing };
  }
}

/** Null for a form of text alone. */
function toReceive(context: Context): Receive | null {
  const form = formOfRequest(context);
  const isText = form?.varies === true && isForm(context.request.headers);
  return isText ? null : (form?.definition?.receive ?? null);
}

async function parkNothing(): Promise<void> {}

async function readTooLarge(context: Context): Promise<readonly Entry[]> {
  const { request } = context;
  if (!isForm(request.headers)) return [];
  const body = await readRefusedBody(request, formLimitOf(context) * REFUSED_LIMIT_FACTOR);
  return body === null ? [] : parseUrlencoded(body, maxEntriesOf(context));
}
