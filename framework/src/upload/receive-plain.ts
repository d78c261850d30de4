/**
 * A form with files that is sent without their encoding: its page was opened by a version whose form had none, or a
 * program sends it. Its text counts. The name of a file without the file does not: the `<form>` lacks the encoding.
 */
import type { Context } from '../chain/context.ts';
import type { ReceivedForm } from '../field/received-form.ts';
import type { SomeForm } from '../form/define-form.ts';
import { formLimitOf, toMaxEntries } from '../form/form-of.ts';
import { notA, requireUncompressed } from '../form/read-form.ts';
import { findField } from '../form/sent-fields.ts';
import { readBody } from '../http/body.ts';
import type { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import { type Entry, parseUrlencoded } from '../http/urlencoded.ts';
import { isFileField } from './receiving-field.ts';

export async function receivePlain(context: Context, form: SomeForm): Promise<ReceivedForm> {
  const { request } = context;
  const nothing = { park: async () => {}, end: async () => {} };
  const entries: Entry[] = [];
  try {
    requireUncompressed(request);
    const body = await readBody(request, formLimitOf(context));
    for (const entry of parseUrlencoded(body, toMaxEntries(form))) {
      const field = findField(form, entry.name);
      const isFile = field !== null && typeof field !== 'string' && isFileField(field);
      if (isFile && entry.text !== '') throw notMultipart(request);
      if (!isFile) entries.push(entry);
    }
    return { entries, refusal: null, isWhole: true, ...nothing };
  } catch (refusal) {
    return { entries: [], refusal, isWhole: false, ...nothing };
  }
}

export function notMultipart({ headers }: Pick<Request, 'headers'>): HttpError {
  const expected = 'multipart/form-data, with enctype="multipart/form-data" on its <form>';
  return notA(expected, headers['content-type']);
}
