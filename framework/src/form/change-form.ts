/**
 * The buttons that change nothing but the form: add a row, remove it, move it up, remove a file. They send the whole form, and its page
 * shows it again with everything that was typed. The result depends on what was sent alone, so a refresh of the page
 * shows the same again.
 */

import { isTyped } from '../field/field.ts';
import type { Language } from '../language/language.ts';
import type { FilledForm } from './define-form.ts';
import type { AnySet, Fields, Part, Rows } from './field-set.ts';
import { fillBlank, type TextNode, type TextTree } from './fill-text.ts';

/** The name that these buttons send. Their value is what to do, and the path of what it is done to. */
export const CHANGE = '_change';

export type Change = 'add' | 'remove' | 'up';

/** The value of a button. */
export function toChange(change: Change, path: string): string {
  return `${change} ${path}`;
}

export interface Changed {
  readonly text: TextTree;
  readonly focus: NonNullable<FilledForm<Fields>['focus']> | null;
}

/** The texts after the change. A change that the form does not know leaves them as they are. */
export function changeText(
  set: AnySet,
  text: TextTree,
  change: string,
  language: Language,
): Changed {
  const [what = '', path = ''] = change.split(' ', 2);
  let focus: string | null = null;

  function changeSet(
    within: AnySet,
    texts: TextTree,
    steps: readonly string[],
    at: number,
  ): TextTree {
    const name = steps[at] ?? '';
    const part = Object.hasOwn(within.fields, name) ? within.fields[name] : undefined;
    const node = texts[name];
    if (part === undefined || node === undefined) return texts;
    return { ...texts, [name]: changePart(part, node, steps, at + 1) };
  }

  function changePart(part: Part, node: TextNode, steps: readonly string[], at: number): TextNode {
    const next = steps[at];
    if (part.part === 'group') return changeSet(part, node as TextTree, steps, at);
    if (part.part === 'choices') {
      const texts = node as TextTree;
      const chosen =
        next !== undefined && Object.hasOwn(part.sets, next) ? part.sets[next] : undefined;
      if (next === undefined || chosen === undefined) return node;
      return { ...texts, [next]: changeSet(chosen, texts[next] as TextTree, steps, at + 1) };
    }
    if (part.part === 'field' && part.control === 'file' && what === 'remove') {
      focus = path;
      return '';
    }
    if (part.part !== 'rows') return node;
    const rows = node as readonly TextTree[];
    const index = Number(next);
    if (next !== undefined && at < steps.length - 1)
      return rows.map((row, one) => (one === index ? changeSet(part, row, steps, at + 1) : row));
    const changed = changeRows(part, rows, what, next === undefined ? null : index, language);
    const rowsPath = steps.slice(0, at).join('.');
    if (changed !== null) focus = focusOf(part, rowsPath, changed);
    return changed?.rows ?? rows;
  }

  return { text: changeSet(set, text, path.split('.'), 0), focus };
}

interface ChangedRows {
  readonly rows: readonly TextTree[];
  /** The row that gets the focus; null for none. */
  readonly at: number | null;
}

function changeRows(
  part: Rows<Fields, unknown>,
  rows: readonly TextTree[],
  what: string,
  index: number | null,
  language: Language,
): ChangedRows | null {
  if (part.fixed) return null;
  if (what === 'add' && index === null) {
    if (rows.length >= part.max) return { rows, at: null };
    return { rows: [...rows, fillBlank(part, undefined, language)], at: rows.length };
  }
  const row = index === null ? undefined : rows[index];
  if (index === null || row === undefined) return null;
  if (what === 'remove') {
    const left = rows.toSpliced(index, 1);
    return { rows: left, at: left.length === 0 ? null : Math.min(index, left.length - 1) };
  }
  if (what !== 'up' || !part.ordered || index === 0) return null;
  return { rows: rows.toSpliced(index, 1).toSpliced(index - 1, 0, row), at: index - 1 };
}

/** The first field of the row, or the button that adds one. */
function focusOf(part: Rows<Fields, unknown>, path: string, { at }: ChangedRows): string {
  return at === null ? path : firstField(part, `${path}.${at}`);
}

function firstField({ fields, names }: AnySet, path: string): string {
  for (const name of names) {
    const part = fields[name] as Part;
    const own = `${path}.${name}`;
    if (part.part === 'group') return firstField(part, own);
    if (part.part !== 'field' || isTyped(part)) return own;
  }
  return path;
}
