/**
 * What was submitted, in the tree of the form, and the texts of a form as it would send them. A field that the form
 * does not declare is ignored.
 *
 * One rule for rows: an index is a decimal number below 1,000 as programs write it, without a sign or further zeros. A
 * form with another one is refused; what gives its text back ignores that field. The rows are read in the order of
 * their indexes, and gaps are closed up.
 */

import type { AnyField, FieldText } from '../field/field.ts';
import { HttpError } from '../http/http-error.ts';
import type { Entry } from '../http/urlencoded.ts';
import type { Language } from '../language/language.ts';
import { type BoundPart, bindReceived } from './bound-part.ts';
import { buildTexts, type TextSource } from './build-texts.ts';
import {
  type AnySet,
  isFieldName,
  MAX_ROWS,
  type PathTarget,
  type Row,
  type SomeFields,
  stepInto,
  type TextTree,
} from './field-set.ts';
import { NOTHING, SentTree, toLines } from './sent.ts';

/** What was sent, sorted by the parts of the form. */
export interface Sorted {
  readonly sent: SentTree;
  /** The field of each entry, as `findField` finds it. */
  readonly found: readonly (AnyField | 'row' | null)[];
  /** The first name with an index of a row that no page has written; null without one. */
  readonly wrongIndex: string | null;
}

/** Sorts the entries by the parts of the form. */
export function sortEntries(set: SomeFields, entries: readonly Entry[]): Sorted {
  const root = new SentTree();
  const found: (AnyField | 'row' | null)[] = [];
  let wrongIndex: string | null = null;
  // The fields of one row are sent one after the other, so the place of the last one is looked up once.
  let prefix: string | null = null;
  let place: Found = null;
  let sent: SentTree | null = null;
  for (const entry of entries) {
    const { name } = entry;
    const dot = name.lastIndexOf('.');
    if (dot !== -1 && (prefix?.length !== dot || !name.startsWith(prefix))) {
      prefix = name.slice(0, dot);
      place = walk(set, prefix);
      sent = null;
    }
    const last = dot === -1 ? name : name.slice(dot + 1);
    const known = fieldAt(step(dot === -1 ? set : place, last));
    const field = known === 'no index' ? null : known;
    if (known === 'no index') wrongIndex ??= name;
    found.push(field);
    if (dot === -1) root.add(name).entries.push(entry);
    else if (field !== null) {
      sent ??= (prefix as string).split('.').reduce((one, step) => one.add(step), root);
      sent.add(last).entries.push(entry);
    }
  }
  return { sent: root, found, wrongIndex };
}

/** The field with this path; `row` for that of a row itself, and null if there is none. */
export function findField(set: SomeFields, path: string): AnyField | 'row' | 'no index' | null {
  return fieldAt(walk(set, path));
}

/** Whether the form has a part with this path: a field, a group, rows, or one of them. */
export function isPart(set: SomeFields, path: string): boolean {
  const found = walk(set, path);
  return found !== null && found !== 'no index' && found.part !== 'set';
}

type Found = PathTarget | 'no index' | null;

/** Characters. No path of a form is longer. */
const MAX_PATH_LENGTH = 1_000;

function walk(set: SomeFields, path: string): Found {
  return path.length > MAX_PATH_LENGTH ? null : path.split('.').reduce<Found>(step, set);
}

function step(place: Found, name: string): Found {
  return place === null || place === 'no index' ? place : stepInto(place, name);
}

function fieldAt(place: Found): AnyField | 'row' | 'no index' | null {
  if (place === null || place === 'no index') return place;
  switch (place.part) {
    case 'field':
      return place;
    case 'input':
      return place.field;
    case 'choices':
      return place.choice;
    case 'row':
      return 'row';
    default:
      return null;
  }
}

/** The 400 for a `wrongIndex`. */
export function refuseIndex(name: string): HttpError {
  const reason = `The field ${JSON.stringify(name.slice(0, 100))} has no number of a row from 0 to ${MAX_ROWS - 1}.`;
  return new HttpError(400, ({ words }) => words.formFlaws.wrongRow, { reason });
}

/** The texts to show again: without passwords. */
export function textsOf(set: SomeFields | Row, sent: SentTree): TextTree {
  return buildTexts(set, sent, SENT);
}

/** The form bound to what was sent. */
export function bindSent(
  definition: SomeFields,
  entries: readonly Entry[],
  language: Language,
): BoundPart {
  const { sent } = sortEntries(definition, entries);
  return bindReceived({ definition, text: textsOf(definition, sent), language }, sent);
}

const SENT: TextSource<SentTree> = {
  set: (set, sent) => (sent.parts === null ? emptyTexts(set) : null),
  within: (sent, name) => sent.get(name),
  rows: (sent) => sent.rows,
  choice: (sent) => sent,
  text: (sent, field) => (field.isSecret ? '' : sentText(field, sent)),
};

const emptySets = new WeakMap<AnySet, TextTree>();

/** All rows and choices without a text share one, so a form of a few bytes for each costs little. */
function emptyTexts(set: AnySet): TextTree {
  const known = emptySets.get(set) ?? buildTexts(set, NOTHING, { ...SENT, set: () => null });
  emptySets.set(set, known);
  return known;
}

/** Whether it is a row for which nothing but its mark was sent. */
export function isEmptyRow({ part, text }: BoundPart): boolean {
  return part.part === 'row' && emptySets.get(part) === text;
}

/** The text of a field, also that of a password. */
export function sentText(field: AnyField, sent: SentTree): FieldText {
  const { inputs, default: blank } = field;
  if (field.isSecret) return sent.entries[0]?.text ?? '';
  if (Array.isArray(blank)) return sent.entries.map(({ text }) => toLines(text));
  if (inputs === null || sent.parts === null) return sent.text;
  return inputs.join(inputs.names.map((name) => sent.get(name).text));
}

/** The texts of a part as they would be sent. Marks rows, which may be empty: such a one is known by its mark. */
export function toEntries(whole: BoundPart): readonly (readonly [name: string, text: string])[] {
  return whole
    .all((one) => !isEmptyRow(one))
    .flatMap(({ part, path, text }) => {
      if (part.part === 'row') return [[path, ROW_MARK] as const];
      if (part.part !== 'field') return [];
      return [text as FieldText].flat().map((one) => [path, one] as const);
    });
}

/** What a page sends for each row. It is not empty, so that rows without an answer count in the digest of the form. */
export const ROW_MARK = 'row';

/** Whether another version of the form may declare a field with this path. */
export function isFieldPath(name: string): boolean {
  if (name.length > MAX_PATH_LENGTH) return false;
  const steps = name.split('.');
  // Image buttons send `save.x` and `save.y`, which differ with each click.
  if (steps.length === 2 && (steps[1] === 'x' || steps[1] === 'y')) return false;
  return steps.every((step, at) => isFieldName(step) || (at > 0 && /^\d{1,3}$/.test(step)));
}
