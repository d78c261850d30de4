/**
 * From the error page, the user can copy the text of a form. All texts of a page share 65,536 characters, see
 * cut-text.ts. Any field of an unknown form may be a password.
 */

import type { Context } from '../chain/context.ts';
import { isFile, isTyped } from '../field/field.ts';
import { parseFileText } from '../field/file-text.ts';
import { languageOf } from '../http/request-language.ts';
import type { Entry } from '../http/urlencoded.ts';
import type { Language } from '../language/language.ts';
import type { BoundPart } from './bound-part.ts';
import { cutText, lengthToFit } from './cut-text.ts';
import { defineForm, type SomeForm } from './define-form.ts';
import { formOfRequest, type RouteForm } from './form-of.ts';
import { readRefused } from './read-refused.ts';
import { readShown } from './run-time-fields.ts';
import { bindSent, findField, isFieldPath } from './sent-fields.ts';

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
  const typed = labelled(entries, form, languageOf(context.request));
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
  { definition, varies }: RouteForm,
  language: Language,
): readonly { readonly label: string; readonly text: string }[] {
  const known = definition ?? defineForm({});
  const unknown = !varies ? [] : toUnknown(known, entries);
  const typed = bindSent(known, entries, language)
    .all()
    .flatMap((one) => {
      const { part, sent } = one;
      if (part.part !== 'field' || part.isSecret || !isTyped(part) || sent === null) return [];
      const texts = sent.texts.filter((text) => text !== '');
      return texts.map((text) => ({
        one,
        text: isFile(part) ? parseFileText(text).name : text,
      }));
    });
  const labels = typed
    .slice(0, MAX_LABELS)
    .map(({ one, text }) => ({ label: rowsOf(one, language) + one.label, text }));
  const rest = typed.slice(MAX_LABELS).map(({ one, text }) => `${one.path}: ${text}`);
  const all = [...labels, ...unknown];
  return rest.length === 0 ? all : [...all, { label: '…', text: rest.join('\n') }];
}

/** Also what no form can declare. */
function isRow(name: string): boolean {
  return !isFieldPath(name) || /\.\d+$/.test(name);
}

/** What the form may declare once it is made. Its label is that of its page, if the page has told it. */
function toUnknown(known: SomeForm, entries: readonly Entry[]) {
  const shown = readShown(entries);
  return entries.flatMap(({ name, text }) =>
    text === '' || isRow(name) || findField(known, name) !== null
      ? []
      : { label: shown?.get(name) ?? name, text },
  );
}

/** The rows that a field stands in, before its label: `Participant 2: `. */
function rowsOf({ owners }: BoundPart, { words }: Language): string {
  const rows = owners.filter(({ part }) => part.part === 'row');
  return rows.map(({ label }) => words.inRow(label, '')).join('');
}
