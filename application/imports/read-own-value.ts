/** Reads a cell as the value of a field of one's own. */
import type { OwnValue } from '../own-fields/own-field.ts';
import type { OwnColumn } from './own-columns.ts';
import { readAmount } from './read-amount.ts';
import { readDay } from './read-date.ts';
import { plainText, tidyText } from './same-text.ts';
import { isNothing, readYesNo } from './value-words.ts';

/** Empty for a cell without a value; null for one that does not fit the field. */
export function readOwnValue(column: OwnColumn, cell: string): OwnValue | null {
  const text = cell.trim();
  if (isNothing(text)) return '';
  const typed = toTyped(column, text);
  if (typed === null) return null;
  const parsed = column.field.parse(typed);
  if (parsed instanceof Promise) throw new TypeError(`Cannot import the field ${column.label}.`);
  return parsed.ok ? parsed.value : null;
}

/** As a form of the page in English has it. */
function toTyped(column: OwnColumn, text: string): OwnValue | null {
  const { kind, unit, mark, order } = column;
  switch (kind) {
    case 'number': {
      const amount = readAmount(text, mark);
      if (amount === null) return null;
      const own = amount.currency ?? amount.unit;
      return own === '' || plainText(own) === plainText(unit) ? amount.decimal : null;
    }
    case 'money': {
      const amount = readAmount(text, mark);
      if (amount === null || amount.unit !== '') return null;
      if (amount.currency !== null && amount.currency !== unit) return null;
      return column.zeroIsNone && amount.decimal === '0' ? '' : amount.decimal;
    }
    case 'date':
      return readDay(text, order);
    case 'yes or no':
      return readYesNo(text);
    case 'choice':
      return findChoice(column, text);
    case 'choices': {
      const ids = text.split(/[,;|\n]/).flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
      const found = ids.map((one) => findChoice(column, one));
      return found.some((one) => one === null) ? null : (found as string[]);
    }
    case 'long text':
      return text;
    default:
      return text.includes('\n') ? null : tidyText(text);
  }
}

function findChoice({ choices }: OwnColumn, text: string): string | null {
  const sought = plainText(text);
  return choices.find(({ label, removed }) => !removed && plainText(label) === sought)?.id ?? null;
}
