/**
 * A link to a filled form: `?course=7`. Its texts are those of English, whatever language the page has, as those of
 * `default` are. The page takes the fields that it lists, and ignores what is not valid.
 */
import { type AnyField, type FieldText, isFile, isTyped } from '../field/field.ts';
import { type Href, localPath, withQuery } from '../http/href.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import type { SomeForm } from './define-form.ts';
import type { Fields, FormValues } from './field-set.ts';

/** The names of the fields that a link can fill: no groups and rows. */
export type LinkedName<F extends Fields> = {
  [Name in keyof F & string]: F[Name] extends { readonly part: 'field' } ? Name : never;
}[keyof F & string];

/** The path of a page with the values in its query: its page fills the fields that its option `linked` lists. */
export function formLink<F extends Fields>(
  path: Href,
  form: { readonly fields: F },
  values: Partial<Pick<FormValues<F>, LinkedName<F>>>,
): Href {
  const pairs = Object.entries(values).flatMap(([name, value]) => {
    const text: FieldText = (form.fields[name] as AnyField).toText(value, { language: english });
    return [text].flat().flatMap((one) => (one === '' ? [] : [[name, one]]));
  });
  if (pairs.length === 0) return path;
  return localPath(withQuery(path, `${new URLSearchParams(pairs)}`));
}

/** The texts of the query for a page in the language: those of valid values. */
export function linkedTexts<F extends Fields>(
  { fields }: { readonly fields: F },
  names: readonly string[],
  query: URLSearchParams,
  language: Language,
): object {
  const texts = names.flatMap((name) => {
    const field = fields[name] as AnyField | undefined;
    if (field === undefined || !query.has(name)) return [];
    const all = query.getAll(name);
    const isList = Array.isArray(field.default);
    if (!isList && all.length > 1) return [];
    const parsed = field.parse(isList ? all : all[0], { language: english });
    // A field whose schema waits for something is not filled.
    return 'ok' in parsed && parsed.ok ? [[name, field.toText(parsed.value, { language })]] : [];
  });
  return Object.fromEntries(texts);
}

/** Throws for what no link may fill. A form that a function makes may lack a field. */
export function checkLinked(
  { fields, names }: SomeForm,
  linked: readonly string[],
  { owner, varies }: { readonly owner: string; readonly varies: boolean },
): void {
  for (const name of linked) {
    const part = fields[name];
    if (part === undefined && varies) continue;
    if (part?.part === 'field' && isTyped(part) && !isFile(part) && !part.isSecret) continue;
    throw new TypeError(
      `Cannot fill the field ${JSON.stringify(name)} of ${owner} by a link: take one of ${names.join(', ')} that is typed or chosen, and is no password, file, group or list of rows.`,
    );
  }
}
