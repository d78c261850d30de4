/**
 * The buttons that change nothing but the form: add a row, remove it, move it up, remove a file, show what
 * depends on a field. They send the whole
 * form, and its page shows it again with everything that was typed. The result depends on what was sent alone, so a
 * refresh of the page shows the same again.
 */

import { type FieldText, isFile, isTyped } from '../field/field.ts';
import { parseFileText } from '../field/file-text.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import { type Bindable, type BoundPart, bindForm, findPart } from './bound-part.ts';
import { fillBlank } from './build-texts.ts';
import type { TextNode, TextTree } from './field-set.ts';

/** The name that these buttons send. Their value is what to do, and the path of what it is done to. */
export const CHANGE = '_change';

export type RowChange = 'add' | 'remove' | 'up' | 'fill' | 'update' | 'leave';

/** The value of a button. */
export function toChange(change: RowChange, path: string): string {
  return `${change} ${path}`;
}

export interface Changed {
  readonly text: TextTree;
  /** The path of the part that gets the focus; null for none. */
  readonly focus: string | null;
}

/** The texts after the change. An update leaves them as they are, as a change that the form does not know. */
export function changeText(form: Bindable, change: string): Changed {
  const [what = '', path = '', key = ''] = change.split(' ', 3);
  const whole = bindForm(form);
  const found = findPart(whole, path);
  const changed = found === null ? null : changePart(found, what, key, form.language ?? english);
  if (changed === null) return { text: whole.text as TextTree, focus: found?.path ?? null };
  const text = changed.one.replace(changed.text);
  return { text, focus: focusOf(bindForm({ ...form, text }), changed) };
}

interface ChangedPart {
  readonly one: BoundPart;
  readonly text: TextNode;
  /** The row that gets the focus; null for the part itself. */
  readonly at: number | null;
}

/**
 * `found` is a file, a list, or one of its rows, as the button names it; `key` that of one of several files. Null for
 * what no button of it does.
 */
function changePart(
  found: BoundPart,
  what: string,
  key: string,
  language: Language,
): ChangedPart | null {
  if (found.part.part === 'field') {
    if (!isFile(found.part) || what !== 'remove') return null;
    const files = found.text as FieldText;
    const text =
      typeof files === 'string' ? '' : files.filter((one) => parseFileText(one).key !== key);
    return { one: found, text, at: null };
  }
  const one = found.part.part === 'row' ? (found.owner as BoundPart) : found;
  const { part } = one;
  if (part.part !== 'rows' || part.fixed) return null;
  const rows = one.text as readonly TextTree[];
  if (found === one) {
    if (what !== 'add') return null;
    if (rows.length >= part.max) return { one, text: rows, at: null };
    return { one, text: [...rows, fillBlank(part.row, undefined, language)], at: rows.length };
  }
  const at = found.key as number;
  const left = rows.toSpliced(at, 1);
  if (what === 'remove')
    return { one, text: left, at: left.length === 0 ? null : Math.min(at, left.length - 1) };
  if (what !== 'up' || !part.ordered || at === 0) return null;
  return { one, text: left.toSpliced(at - 1, 0, found.text as TextTree), at: at - 1 };
}

/** The first field of the row, or the button that adds one. */
function focusOf(form: BoundPart, { one: { path }, at }: ChangedPart): string {
  const row = at === null ? null : findPart(form, `${path}.${at}`);
  if (row === null) return path;
  const shown = row
    .all((one) => one === row || one.part.part === 'group')
    .find(({ part }) =>
      part.part === 'field' ? isTyped(part) : part.part === 'rows' || part.part === 'choices',
    );
  return (shown ?? row).path;
}
