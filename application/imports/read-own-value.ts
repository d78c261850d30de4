/** Reads a cell as the value of a field of one's own. */
import type { OwnChoice, OwnValue } from '../own-fields/own-field.ts';
import type { OwnColumn } from './own-columns.ts';
import { readAmount } from './read-amount.ts';
import { readDay } from './read-date.ts';
import { plainText, tidyText } from './same-text.ts';
import { isNothing, readYesNo } from './value-words.ts';

/** Empty for a cell without a value; null for one that does not fit the field. */
export function readOwnValue(column: OwnColumn, cell: string): OwnValue | null {
  const text = cell.trim();
  const exact = column.isExport && text !== '' ? parse(column, toExact(column, text)) : null;
  if (exact !== null) return exact;
  return isNothing(text) ? '' : parse(column, toTyped(column, text));
}

function parse(column: OwnColumn, typed: OwnValue | null): OwnValue | null {
  if (typed === null) return null;
  const parsed = column.field.parse(typed);
  if (parsed instanceof Promise) throw new TypeError(`Cannot import the field ${column.label}.`);
  return parsed.ok ? parsed.value : null;
}

/** As an export has written it; null for what somebody has changed in another way. */
function toExact({ kind, choices }: OwnColumn, text: string): OwnValue | null {
  switch (kind) {
    case 'number':
    case 'money':
      return /^-?\d+(?:\.\d+)?$/.test(text) ? text : null;
    case 'choice':
      return choices.find(({ label }) => label === text)?.id ?? null;
    case 'choices':
      return toChoiceIds(text, choices);
    case 'text':
    case 'person':
      return text.includes('\n') ? null : text;
    case 'long text':
      return text;
    default:
      return null;
  }
}

/** Labels may have commas: the longest one that fits comes first. No end of the text is tried twice. */
function toChoiceIds(text: string, choices: readonly OwnChoice[]): readonly string[] | null {
  const longestFirst = choices.toSorted((one, other) => other.label.length - one.label.length);
  const tried = new Set<number>();
  const readFrom = (at: number, most: number): readonly string[] | null => {
    if (most === 0 || tried.has(at)) return null;
    tried.add(at);
    for (const { id, label } of longestFirst) {
      if (!text.startsWith(label, at)) continue;
      const end = at + label.length;
      if (end === text.length) return [id];
      const others = text.startsWith(', ', end) ? readFrom(end + 2, most - 1) : null;
      if (others !== null) return [id, ...others];
    }
    return null;
  };
  return readFrom(0, choices.length);
}

/** What Grocy has for things that keep for ever. */
const NEVER = '2999-12-31';

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
      return column.hasFillers && amount.decimal === '0' ? '' : amount.decimal;
    }
    case 'date': {
      const day = readDay(text, order);
      return column.hasFillers && day === NEVER ? '' : day;
    }
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
