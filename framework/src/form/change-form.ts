/**
 * The buttons that change nothing but the form: add a row, remove it, move it up, remove a file. They send the whole
 * form, and its page shows it again with everything that was typed. The result depends on what was sent alone, so a
 * refresh of the page shows the same again.
 */

import { isFile, isTyped } from '../field/field.ts';
import { english } from '../language/english.ts';
import { type Bindable, type BoundPart, bindForm, findPart } from './bound-part.ts';
import { fillBlank } from './build-texts.ts';
import type { TextTree } from './field-set.ts';

/** The name that these buttons send. Their value is what to do, and the path of what it is done to. */
export const CHANGE = '_change';

export type RowChange = 'add' | 'remove' | 'up';

/** The value of a button. */
export function toChange(change: RowChange, path: string): string {
  return `${change} ${path}`;
}

export interface Changed {
  readonly text: TextTree;
  /** The path of the part that gets the focus; null for none. */
  readonly focus: string | null;
}

/** The texts after the change. A change that the form does not know leaves them as they are. */
export function changeText(form: Bindable, change: string): Changed {
  const [what = '', path = ''] = change.split(' ', 2);
  const whole = bindForm(form);
  const found = findPart(whole, path);
  const { part } = found ?? whole;
  if (found !== null && part.part === 'field' && isFile(part) && what === 'remove')
    return { text: found.replace(''), focus: path };
  const list = part.part === 'row' ? (found?.owner ?? null) : found;
  const changed = list === null ? null : changeRows(list, what, found as BoundPart, form);
  if (list === null || changed === null) return { text: whole.text as TextTree, focus: null };
  const text = list.replace(changed.rows);
  return { text, focus: focusOf(bindForm({ ...form, text }), list.path, changed) };
}

interface ChangedRows {
  readonly rows: readonly TextTree[];
  /** The row that gets the focus; null for none. */
  readonly at: number | null;
}

/** `found` is the list or one of its rows, as the button names it. */
function changeRows(
  list: BoundPart,
  what: string,
  found: BoundPart,
  { language = english }: Bindable,
): ChangedRows | null {
  const { part } = list;
  if (part.part !== 'rows' || part.fixed) return null;
  const rows = list.text as readonly TextTree[];
  if (found === list) {
    if (what !== 'add') return null;
    if (rows.length >= part.max) return { rows, at: null };
    return { rows: [...rows, fillBlank(part.row, undefined, language)], at: rows.length };
  }
  const at = found.key as number;
  if (what === 'remove') {
    const left = rows.toSpliced(at, 1);
    return { rows: left, at: left.length === 0 ? null : Math.min(at, left.length - 1) };
  }
  if (what !== 'up' || !part.ordered || at === 0) return null;
  return { rows: rows.toSpliced(at, 1).toSpliced(at - 1, 0, found.text as TextTree), at: at - 1 };
}

/** The first field of the row, or the button that adds one. */
function focusOf(form: BoundPart, path: string, { at }: ChangedRows): string {
  const row = at === null ? null : findPart(form, `${path}.${at}`);
  if (row === null) return path;
  const shown = row
    .all((one) => one === row || one.part.part === 'group')
    .find(({ part }) =>
      part.part === 'field' ? isTyped(part) : part.part === 'rows' || part.part === 'choices',
    );
  return (shown ?? row).path;
}
