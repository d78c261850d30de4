/** For a test that a form is translated: the texts in its definition, as the code has them. */

import type { AnyField, Choice, Parsed } from '../field/field.ts';
import type { Language } from '../language/language.ts';
import { type AnySet, allParts, type Part } from './field-set.ts';

/**
 * The texts of a form that a language has no translation for: labels, hints, choices, buttons, names of rows, and the
 * messages of required fields. Messages of patterns, schemas and `send` are not among them: send the form in a test.
 */
export function missingTexts(form: AnySet, { texts }: Language): readonly string[] {
  const all = new Set(allParts(form).flatMap(textsOf));
  return [...all].filter((text) => text !== '' && !Object.hasOwn(texts, text));
}

function textsOf(part: Part): readonly string[] {
  switch (part.part) {
    case 'field':
      return textsOfField(part);
    // Its choice is a part of its own.
    case 'choices':
      return [];
    case 'group':
      return [part.label, part.hint ?? ''];
    case 'rows':
      return [part.label, part.hint ?? '', part.name];
  }
}

function textsOfField({ label, hint, choices, draw, required, ...field }: AnyField) {
  const chosen = choices.flatMap(({ label, hint = '', group = '' }: Choice) => [
    label,
    hint,
    group,
  ]);
  if (draw === null || field.labelIn !== undefined) return chosen;
  const empty = required ? field.parse(Array.isArray(field.default) ? [] : '') : null;
  const { message = '' } = (empty ?? {}) as Partial<Extract<Parsed<unknown>, { ok: false }>>;
  return [label, hint ?? '', ...chosen, message];
}
