/** Forms with files, as a browser sends them. */
import type { Request } from '../http/request.ts';
import { post, type TypedFields } from './make-request.ts';
import type { Visitor } from './visitor.ts';

/** The input of a form with files; a list sends the field several times. */
export type FieldsWithFiles =
  | TypedFields
  | Readonly<Record<string, string | File | readonly (string | File)[]>>;

async function encode(fields: FieldsWithFiles) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) data.append(name, one);
  const encoded = new Response(data);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return { body: await encoded.bytes(), init: { headers } };
}

export async function postWithFiles(path: string, fields: FieldsWithFiles): Promise<Request> {
  const { body, init } = await encode(fields);
  return post(path, body, init);
}

/** The answer to the form of a visitor. */
export async function sendWithFiles(
  visitor: Visitor,
  path: string,
  fields: FieldsWithFiles,
): ReturnType<Visitor['post']> {
  const { body, init } = await encode(fields);
  return visitor.post(path, body, init);
}
