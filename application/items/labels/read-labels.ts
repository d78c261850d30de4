/** What the address of labels says: the sheet, where on it to begin, and what stands on each label. */
import { isOwnName } from '../events/item-changes.ts';
import { parseNumber } from '../parse-number.ts';
import { type ChosenItems, readChosenItems, readTicked, writeTicked } from '../ticked-numbers.ts';
import { type LabelText, MAX_LABELS, TEXTS } from './label-form.ts';
import { parseSheet, SHEETS, type Sheet } from './sheets.ts';

/** A list, or the items that are ticked; or the ids of places, written as the numbers of ticked items. */
export interface ChosenLabels extends ChosenItems {
  readonly places: string;
}

/** Only those with an account print labels. */
export function readChosenLabels(query: URLSearchParams): ChosenLabels {
  const places = writeTicked(readTicked(query.get('places') ?? ''));
  return { ...readChosenItems(query, true), places };
}

export interface LabelChoice {
  /** As in the address: its name, or one's own measures. */
  readonly sheetText: string;
  readonly sheet: Sheet;
  /** From 1. */
  readonly start: number;
  /** Of each thing. */
  readonly copies: number;
  /** A field of the team's own can be gone since. */
  readonly texts: readonly LabelText[];
  readonly edges: boolean;
}

/** What cannot be read has its default. */
export function readLabelChoice(query: URLSearchParams): LabelChoice {
  const asked = query.get('sheet') ?? '';
  const own = parseSheet(asked);
  const words = (query.get('texts') ?? '').split('.');
  return {
    sheetText: own === null ? 'l7160' : asked,
    sheet: own ?? SHEETS.l7160.sheet,
    start: readCount(query.get('start')),
    copies: readCount(query.get('copies')),
    texts: [
      ...TEXTS.map(({ value }) => value).filter((name) => words.includes(name)),
      ...new Set(words.filter(isOwnName)),
    ],
    edges: query.has('edges'),
  };
}

function readCount(text: string | null): number {
  return Math.min(Math.max(1, parseNumber(text ?? '1') ?? 1), MAX_LABELS);
}

/** The same as a query. */
export function writeLabelChoice(choice: Omit<LabelChoice, 'sheet'>): string {
  const { sheetText, start, copies, texts, edges } = choice;
  const query = new URLSearchParams({ sheet: sheetText });
  if (start > 1) query.set('start', String(start));
  if (copies > 1) query.set('copies', String(copies));
  if (texts.length > 0) query.set('texts', texts.join('.'));
  if (edges) query.set('edges', '');
  return String(query);
}
