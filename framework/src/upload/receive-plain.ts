/**
 * A form with files that is sent without their encoding: its page was opened by a version whose form had none, or a
 * program sends it. Its text counts. The name of a file without the file does not: the `<form>` lacks the encoding.
 */
import type { Context } from '../chain/context.ts';
import type { ReceivedForm } from '../field/received-form.ts';
import type { SomeForm } from '../form/define-form.ts';
import { formLimitOf, toMaxEntries } from '../form/form-of.ts';
import { requireUncompressed, withoutFiles } from '../form/read-form.ts';
import { readBody } from '../http/body.ts';
import { type Entry, parseUrlencoded } from '../http/urlencoded.ts';

export async function receivePlain(context: Context, form: SomeForm): Promise<ReceivedForm> {
  const { request } = context;
  const nothing = { park: async () => {}, end: async () => {} };
  let entries: readonly Entry[] = [];
  try {
    requireUncompressed(request);
    const body = await readBody(request, formLimitOf(context));
    // The error page says what was typed.
    entries = parseUrlencoded(body, toMaxEntries(form));
    return {
      entries: withoutFiles(form, entries, request),
      refusal: null,
      isWhole: true,
      ...nothing,
    };
  } catch (refusal) {
    return { entries, refusal, isWhole: false, ...nothing };
  }
}
