/**
 * The submitted fields as a tree like that of the definition. A field that the form does not declare is ignored.
 * Submitted names are keys of a Map, never of an object, so a name such as `__proto__` does no harm.
 *
 * One rule for rows: an index is a decimal number below 1,000 as programs write it, without a sign or further zeros. A
 * form with another one is refused; what gives its text back ignores that field. The rows are read in the order of
 * their indexes, and gaps are closed up.
 */

import type { AnyField, FieldText } from '../field/field.ts';
import { HttpError } from '../http/http-error.ts';
import type { Entry } from '../http/urlencoded.ts';
import {
  type AnySet,
  type Fields,
  type FormText,
  isFieldName,
  MAX_ROWS,
  type Part,
} from './field-set.ts';
import type { TextNode, TextTree } from './fill-text.ts';

/** What was sent for one part: its own entries, and those of the parts within it. */
export class Sent {
  readonly entries: Entry[] = [];
  /** By name; of rows by index. Null if there are none. */
  parts: Map<string, Sent> | null = null;
  #rows: readonly Sent[] | null = null;

  get(name: string): Sent {
    return this.parts?.get(name) ?? NOTHING;
  }

  add(name: string): Sent {
    this.parts ??= new Map();
    const known = this.parts.get(name);
    if (known !== undefined) return known;
    const added = new Sent();
    this.parts.set(name, added);
    this.#rows = null;
    return added;
  }

  /** Of rows: one for each, in the order of their indexes. */
  get rows(): readonly Sent[] {
    if (this.parts === null) return [];
    this.#rows ??= [...this.parts]
      .sort(([one], [other]) => Number(one) - Number(other))
      .map(([, row]) => row);
    return this.#rows;
  }

  /** The first text that was sent; empty if there is none. */
  get text(): string {
    const first = this.entries[0];
    return first === undefined ? '' : toLines(first.text);
  }
}

const NOTHING = new Sent();

/** Line ends of browsers as LF. */
export function toLines(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}

/** What was sent, sorted by the parts of the form. */
export interface Sorted {
  readonly sent: Sent;
  /** The field of each entry, as `findField` finds it. */
  readonly found: readonly (AnyField | 'row' | null)[];
  /** The first name with an index of a row that no page has written; null without one. */
  readonly wrongIndex: string | null;
}

/** Sorts the entries by the parts of the form. */
export function sortEntries(set: AnySet, entries: readonly Entry[]): Sorted {
  const root = new Sent();
  const found: (AnyField | 'row' | null)[] = [];
  let wrongIndex: string | null = null;
  // The fields of one row are sent one after the other, so the way to the last one is kept.
  let prefix: string | null = null;
  let place: Place | 'no index' | null = null;
  let sent: Sent | null = null;
  for (const entry of entries) {
    const { name } = entry;
    const dot = name.lastIndexOf('.');
    if (dot !== -1 && (prefix?.length !== dot || !name.startsWith(prefix))) {
      prefix = name.slice(0, dot);
      place = walk(set, prefix);
      sent = null;
    }
    const last = dot === -1 ? name : name.slice(dot + 1);
    const known = fieldAt(stepInto(dot === -1 ? set : place, last));
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
export function findField(set: AnySet, path: string): AnyField | 'row' | 'no index' | null {
  return fieldAt(walk(set, path));
}

/** Whether the form has a part with this path: a field, a group, rows, or one of them. */
export function isPart(set: AnySet, path: string): boolean {
  const place = walk(set, path);
  return typeof place === 'object' && place !== null && 'part' in place;
}

/** Where a path leads to: the form or the fields of a choice, a part, one of the rows, or one input of a field. */
type Place = AnySet | Part | Row | Input;

interface Row extends AnySet {
  readonly part: 'row';
}

interface Input {
  readonly part: 'input';
  readonly field: AnyField;
}

/** Characters. No path of a form is longer. */
const MAX_PATH_LENGTH = 1_000;

function walk(set: AnySet, path: string): Place | 'no index' | null {
  if (path.length > MAX_PATH_LENGTH) return null;
  let place: Place | 'no index' | null = set;
  for (const step of path.split('.')) place = stepInto(place, step);
  return place;
}

function stepInto(place: Place | 'no index' | null, step: string): Place | 'no index' | null {
  if (place === null || place === 'no index') return place;
  if ('part' in place) {
    if (place.part === 'input') return null;
    if (place.part === 'field')
      return place.inputs?.names.includes(step) === true ? { part: 'input', field: place } : null;
    if (place.part === 'rows') return isIndex(step) ? rowOf(place) : 'no index';
    if (place.part === 'choices')
      return Object.hasOwn(place.sets, step) ? (place.sets[step] ?? null) : null;
  }
  return Object.hasOwn(place.fields, step) ? (place.fields[step] ?? null) : null;
}

const places = new WeakMap<Part, Row>();

/** One for all rows of a part. */
function rowOf(part: Part & AnySet): Row {
  const known = places.get(part) ?? { ...part, part: 'row' };
  places.set(part, known);
  return known;
}

function fieldAt(place: Place | 'no index' | null): AnyField | 'row' | 'no index' | null {
  if (place === null || place === 'no index') return place;
  if (!('part' in place)) return null;
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

function isIndex(text: string): boolean {
  return /^(?:0|[1-9]\d{0,8})$/.test(text) && Number(text) < MAX_ROWS;
}

/** The 400 for a `wrongIndex`. */
export function refuseIndex(name: string): HttpError {
  const reason = `The field ${JSON.stringify(name.slice(0, 100))} has no number of a row from 0 to ${MAX_ROWS - 1}.`;
  return new HttpError(400, ({ words }) => words.formFlaws.wrongRow, { reason });
}

/** The texts to show again: without passwords. */
export function textsOf(set: AnySet, sent: Sent): TextTree {
  return sent.parts === null ? emptyTexts(set) : collectTexts(set, sent);
}

function collectTexts({ fields, names }: AnySet, sent: Sent): TextTree {
  const texts: Record<string, TextNode> = {};
  // Names of fields are checked, and none is __proto__.
  for (const name of names) texts[name] = textOf(fields[name] as Part, sent.get(name));
  return texts;
}

function textOf(part: Part, sent: Sent): TextNode {
  switch (part.part) {
    case 'field':
      return fieldText(part, sent);
    case 'group':
      return textsOf(part, sent);
    case 'rows':
      return sent.rows.map((row) => textsOf(part, row));
    case 'choices': {
      const sets = Object.entries(part.sets).map(([value, set]) => [
        value,
        textsOf(set, sent.get(value)),
      ]);
      return { ...Object.fromEntries(sets), choice: sent.text };
    }
  }
}

const emptySets = new WeakMap<AnySet, TextTree>();

/** All rows and choices without a text share one, so a form of a few bytes for each costs little. */
function emptyTexts(set: AnySet): TextTree {
  const known = emptySets.get(set) ?? collectTexts(set, NOTHING);
  emptySets.set(set, known);
  return known;
}

/** Whether nothing but its mark was sent for the row. */
export function isEmptyRow(set: AnySet, texts: TextTree | undefined): boolean {
  return texts !== undefined && emptySets.get(set) === texts;
}

function fieldText(field: AnyField, sent: Sent): FieldText {
  return field.control === 'password' ? '' : sentText(field, sent);
}

/** The text of a field, also that of a password. */
export function sentText({ control, inputs, default: blank }: AnyField, sent: Sent): FieldText {
  if (control === 'password') return sent.entries[0]?.text ?? '';
  if (Array.isArray(blank)) return sent.entries.map(({ text }) => toLines(text));
  if (inputs === null || sent.parts === null) return sent.text;
  return inputs.join(inputs.names.map((name) => sent.get(name).text));
}

/** The texts of a form with other texts, such as a draft, as they would be sent. Marks rows, which may be empty. */
export function toEntries(
  set: AnySet,
  texts: FormText<Fields>,
): readonly (readonly [name: string, text: string])[] {
  return set.names.flatMap((name) =>
    listTexts(set.fields[name] as Part, name, (texts as TextTree)[name] as TextNode),
  );
}

function listTexts(
  part: Part,
  path: string,
  node: TextNode,
): readonly (readonly [string, string])[] {
  const within = (set: AnySet, texts: TextTree, prefix: string) =>
    toEntries(set, texts as FormText<Fields>).map(
      ([name, text]) => [`${prefix}.${name}`, text] as const,
    );
  switch (part.part) {
    case 'field':
      return [node as FieldText].flat().map((text) => [path, text] as const);
    case 'group':
      return within(part, node as TextTree, path);
    case 'rows':
      return (node as readonly TextTree[]).flatMap((row, at) => [
        [`${path}.${at}`, ROW_MARK] as const,
        // An empty row is known by its mark.
        ...(isEmptyRow(part, row) ? [] : within(part, row, `${path}.${at}`)),
      ]);
    case 'choices': {
      const texts = node as TextTree;
      return [
        [path, texts['choice'] as string] as const,
        ...Object.entries(part.sets).flatMap(([value, set]) =>
          within(set, texts[value] as TextTree, `${path}.${value}`),
        ),
      ];
    }
  }
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
