/**
 * The form of the error page that sends the same form again, with the same key: it counts once, so that is safe. A form
 * that another account has opened gets a key of the user, who may send it deliberately. The form refers to the files
 * that are parked. A file that could not be stored is to be chosen again: until it is, the form is refused with its
 * name.
 */

import type { Context } from '../chain/context.ts';
import { isFile } from '../field/field.ts';
import { parseFileText } from '../field/file-text.ts';
import type { Href } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { toLocalPath } from '../http/local-path.ts';
import { isMultipart } from '../http/media-type.ts';
import type { Language } from '../language/language.ts';
import { ownKeySlot } from '../session/form-key.ts';
import { formOfRequest } from './form-of.ts';
import { readRefused } from './read-refused.ts';
import { findField } from './sent-fields.ts';

/** Characters of all fields of a form that is sent again. */
const MAX_AGAIN_LENGTH = 65_536;

/** A form as it was sent. */
export interface FormToSendAgain {
  readonly action: Href;
  readonly hasFiles: boolean;
  readonly fields: readonly { readonly name: string; readonly text: string }[];
  /** The fields whose files are to be chosen again. */
  readonly toChoose: readonly { readonly name: string; readonly fileName: string }[];
}

/**
 * The form of a refused request. Null without a key, for a form with a password, which no page repeats, and for one
 * that has not arrived as a whole.
 */
export async function readAgain(context: Context): Promise<FormToSendAgain | null> {
  const form = formOfRequest(context);
  const action = toLocalPath(context.request.target);
  if (form === null || action === null || form.definition?.hasSecret) return null;
  const refused = await readRefused(context);
  const { entries } = refused;
  const length = entries.reduce((sum, { name, text }) => sum + name.length + text.length, 0);
  const hasKey = entries.some(({ name }) => name === '_once');
  if (!refused.isWhole || !hasKey || length > MAX_AGAIN_LENGTH) return null;
  await refused.park(entries.map(({ text }) => text));
  const toChoose = entries.flatMap(({ name, text }) => {
    const field = form.definition === null ? null : findField(form.definition, name);
    if (field === null || typeof field === 'string' || !isFile(field)) return [];
    const { key, name: fileName } = parseFileText(text);
    return key === null && fileName !== '' ? [{ name, fileName }] : [];
  });
  const ownKey = ownKeySlot.of(context.request);
  const fields = entries.map(({ name, text }) => ({
    name,
    text: name === '_once' ? (ownKey ?? text) : text,
  }));
  return {
    action,
    hasFiles: isMultipart(context.request.headers['content-type']),
    fields,
    toChoose,
  };
}

/** The button *Try again*, with all fields of the form; before it the files that are to be chosen again. */
export function againForm(
  { action, hasFiles, fields, toChoose }: FormToSendAgain,
  { words }: Language,
): Html {
  const hidden = fields.map(
    ({ name, text }) => html`<input type="hidden" name="${name}" value="${text}">\n`,
  );
  // A field with several files is named several times.
  const chosen = toChoose.map(
    (
      { name, fileName },
      at,
    ) => html`<p><label for="again-${at}">${words.chooseAgain(fileName)}</label>
<input type="file" id="again-${at}" name="${name}"></p>
`,
  );
  return html`<form method="post" action="${action}"${hasFiles ? html` enctype="multipart/form-data"` : null}>
${hidden}${chosen}<button>${words.tryAgain}</button>
</form>`;
}
