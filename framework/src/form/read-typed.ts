/**
 * From the error page, the user can copy the text of a form. All texts of a page share 65,536 characters, see
 * cut-text.ts. Any field of an unknown form may be a password.
 */

import type { Context } from '../chain/context.ts';
import { isSecret, isTyped } from '../field/field.ts';
import { parseFileText } from '../field/file-text.ts';
import type { Entry } from '../http/urlencoded.ts';
import type { Language } from '../language/language.ts';
import { cutText, lengthToFit } from './cut-text.ts';
import type { AnySet } from './field-set.ts';
import { formOfRequest, type RouteForm } from './form-of.ts';
import { readRefused } from './read-refused.ts';
import { findField } from './sent-fields.ts';
import { rowName } from './validate-form.ts';

/** One field of a form as it was typed, for an error page that gives it back. */
export interface TypedText {
  /** The label of the field. */
  readonly label: string;
  /** The text, cut when `length` is larger. */
  readonly text: string;
  /** UTF-16 code units of the whole text. */
  readonly length: number;
}

/**
 * What was typed into the declared fields of a request's form, without passwords, for an error page. Empty for an
 * empty or unreadable form, and if it is not known which form it is.
 */
export async function readTyped(context: Context): Promise<readonly TypedText[]> {
  const form = formOfRequest(context);
  if (form === null) return [];
  const { entries } = await readRefused(context);
  const typed = labelled(entries, form, context.request.state.language);
  const maxLength = lengthToFit(typed.map(({ text }) => text));
  return typed.map(({ label, text }) => ({
    label,
    text: cutText(text, maxLength),
    length: text.length,
  }));
}

/** Texts with a label of their own. What follows is one text, as 20,000 labels would be a page of a megabyte. */
const MAX_LABELS = 1_000;

function labelled(
  entries: readonly Entry[],
  { definition }: RouteForm,
  language: Language,
): readonly { readonly label: string; readonly text: string }[] {
  const texts = new Map(entries.map(({ name, text }) => [name, text]));
  const typed = entries.flatMap(({ name, text }) => {
    const field = findField(definition, name);
    if (field === null || typeof field === 'string' || text === '') return [];
    if (isSecret(field) || !isTyped(field)) return [];
    return {
      order: orderOf(definition, name),
      name,
      field,
      text: field.control === 'file' ? parseFileText(text).name : text,
    };
  });
  const sorted = typed.toSorted((one, other) => one.order - other.order);
  const labels = sorted.slice(0, MAX_LABELS).map(({ name, field, text }) => ({
    label: rowsOf(definition, name, '', texts, language) + language.translate(field.label),
    text,
  }));
  const rest = sorted.slice(MAX_LABELS).map(({ name, text }) => `${name}: ${text}`);
  return rest.length === 0 ? labels : [...labels, { label: '…', text: rest.join('\n') }];
}

/** The rows that a field stands in, before its label: `Participant 2: `. */
function rowsOf(
  { fields }: AnySet,
  path: string,
  prefix: string,
  texts: ReadonlyMap<string, string>,
  language: Language,
): string {
  const [name = '', next = '', ...further] = path.split('.');
  const part = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (part === undefined || part.part === 'field') return '';
  const own = `${prefix}${name}.`;
  if (part.part === 'group')
    return rowsOf(part, [next, ...further].join('.'), own, texts, language);
  const within = part.part === 'rows' ? part : part.sets[next];
  if (within === undefined) return '';
  const inside = rowsOf(within, further.join('.'), `${own}${next}.`, texts, language);
  if (part.part !== 'rows') return inside;
  const title =
    part.title === null ? '' : cutText(texts.get(`${own}${next}.${part.title}`) ?? '', 50);
  return language.words.inRow(rowName(part, Number(next), title, language), '') + inside;
}

function orderOf({ names }: RouteForm['definition'], path: string): number {
  return names.indexOf(path.replace(/\..*/, ''));
}
