/** Sends a file with a form, as a browser does. */
import type { Response } from 'seeother';
import { bodyText, hiddenFields, type TypedFields, type Visitor } from 'seeother/testing';

/** Opens the page and sends its form, with the file. */
export async function uploadFile(
  visitor: Visitor,
  page: string,
  file: File,
  fields?: TypedFields,
): Promise<Response> {
  const hidden = fields ?? hiddenFields(formWithFile(bodyText(await visitor.get(page))));
  const { body, type } = await encodeForm({ ...hidden, file });
  return visitor.post(page, body, { headers: { 'content-type': type } });
}

/** The body and the type of a form. */
export async function encodeForm(fields: Readonly<Record<string, unknown>>) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields))
    data.append(name, value instanceof File ? value : String(value));
  const encoded = new globalThis.Response(data);
  const type = encoded.headers.get('content-type') ?? '';
  return { body: new Uint8Array(await encoded.arrayBuffer()), type };
}

function formWithFile(markup: string): string {
  return /<form[^>]*multipart[\s\S]*?<\/form>/.exec(markup)?.[0] ?? '';
}
