/**
 * The fields of a form with what they hold, as people read them: for the page of all answers to a form in steps, and
 * for the record of what a form has changed. Fields within a group or a row are named with it, as in errors:
 * "Participant 2: Name". Passwords, hidden fields, buttons and fields with `listed: false` are left out; of a file
 * there is the name and the size.
 */
import { type FieldText, isFile, isTyped } from '../field/field.ts';
import type { Language } from '../language/language.ts';
import type { BoundPart } from './bound-part.ts';
import { isPasteName } from './paste-fields.ts';

export interface ListedField {
  readonly label: string;
  readonly path: string;
  /** Empty for a field that is empty, and for a list without rows. */
  readonly text: string;
  /** The text of each of several files. */
  readonly texts?: readonly string[];
  readonly kind: 'file' | 'rows' | 'field';
}

/** Of a list of rows, its fields; the list itself if it has no rows. */
export function listFields(form: BoundPart, language: Language): readonly ListedField[] {
  return form.all(isChosen).flatMap((one): readonly ListedField[] => {
    const { part, path, text } = one;
    const label = ownersOf(one, language) + one.label;
    if (part.part === 'rows')
      return one.parts.length === 0 ? [{ label, path, text: '', kind: 'rows' }] : [];
    if (part.part !== 'field' || !isTyped(part) || part.isSecret || !part.isListed) return [];
    if (isPasteName(one.key)) return [];
    const show = (one: unknown) => part.show(one as FieldText, { language });
    const shown = { label, path, text: show(text) };
    if (!isFile(part)) return [{ ...shown, kind: 'field' }];
    const several = Array.isArray(text) ? { texts: text.map((one) => show([one])) } : {};
    return [{ ...shown, ...several, kind: 'file' }];
  });
}

/** The fields that a choice reveals count if it is chosen. */
function isChosen({ part, key, owner }: BoundPart): boolean {
  return part.part !== 'set' || owner === null || owner.choice.text === key;
}

/** The groups and the rows that a field stands in, before its label. */
function ownersOf({ owners }: BoundPart, { words }: Language): string {
  const named = owners.filter(({ part }) => part.part === 'group' || part.part === 'row');
  return named.map(({ label }) => words.inRow(label, '')).join('');
}
