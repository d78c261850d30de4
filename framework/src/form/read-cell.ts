/**
 * The text of a field for a cell. Numbers and dates are read by the parser of the field, in the language of the page;
 * what spreadsheets write around them is left out. A cell that the field refuses stays as it is.
 */
import type { AnyField, FieldText } from '../field/field.ts';
import { unescapeFormula } from '../http/csv.ts';
import type { Language } from '../language/language.ts';
import { foldHeading } from '../tables/fold-heading.ts';
import { settleText } from './rewrite-texts.ts';

interface CellText {
  readonly text: FieldText;
  /** A message, if the text cannot show what is wrong; null mostly. */
  readonly problem: string | null;
}

/** Reads cells that are not empty, and have no spaces around them. */
export function createCellReader(field: AnyField, language: Language): (cell: string) => CellText {
  // An apostrophe stands before what a spreadsheet would run.
  if (field.control === 'checkbox')
    return (cell) => readTick(unescapeFormula(cell), field, language);
  if (field.choices.length > 0) {
    const find = createChoiceFinder(field, language);
    const isList = Array.isArray(field.default);
    return (cell) =>
      isList ? readChoices(unescapeFormula(cell), find) : readChoice(unescapeFormula(cell), find);
  }
  return (cell) => ({ text: readText(unescapeFormula(cell), field, language), problem: null });
}

const YES = new Set('yes y ja j oui o true wahr vrai x 1 on ✓ ✔ ☑ ☒'.split(' '));
const NO = new Set('no n nein non false falsch faux 0 off - – — ✗ ✘ ☐'.split(' '));

function readTick(cell: string, field: AnyField, { words, translate }: Language): CellText {
  const typed = cell.toLowerCase();
  if (YES.has(typed) || typed === words.ticked.toLowerCase()) return { text: 'on', problem: null };
  const isNo = NO.has(typed) || typed === words.notTicked.toLowerCase();
  const problem = isNo ? null : words.tables.noYesOrNo(translate(field.label), cut(cell));
  return { text: '', problem };
}

type Find = (cell: string) => { readonly value: string | null; readonly problem: string };

/** Finds a choice by its label, by its value, and by its label without capitals and accents, if that is one choice. */
function createChoiceFinder(field: AnyField, { words, translate }: Language): Find {
  const exact = new Map<string, string>();
  const folded = new Map<string, string | null>();
  for (const { value, label } of field.choices) {
    for (const text of [translate(label), label]) {
      if (!exact.has(text)) exact.set(text, value);
      const other = folded.get(foldHeading(text));
      folded.set(foldHeading(text), other === undefined || other === value ? value : null);
    }
  }
  for (const { value } of field.choices) if (!exact.has(value)) exact.set(value, value);
  return (cell) => ({
    value: exact.get(cell) ?? folded.get(foldHeading(cell)) ?? null,
    problem: words.tables.noSuchChoice(translate(field.label), cut(cell)),
  });
}

function readChoice(cell: string, find: Find): CellText {
  const { value, problem } = find(cell);
  return value === null ? { text: cell, problem } : { text: value, problem: null };
}

function readChoices(cell: string, find: Find): CellText {
  const whole = find(cell).value;
  if (whole !== null) return { text: [whole], problem: null };
  const parts = cell.split(/[,;|\n]/).flatMap((one) => one.trim() || []);
  const found = parts.map((one) => readChoice(one, find));
  return {
    text: [...new Set(found.flatMap(({ text }) => text))],
    problem: found.find(({ problem }) => problem !== null)?.problem ?? null,
  };
}

function readText(cell: string, field: AnyField, language: Language): FieldText {
  const typed = cell.replaceAll('\r\n', '\n');
  const { maxLength = MAX_SHORT } = field.limits;
  if (typed.length > Math.max(2 * maxLength, MAX_SHORT)) return typed;
  for (const text of new Set([typed, ...withoutFormat(typed, field, language)])) {
    const settled = settleText(field, text, language);
    if (settled !== null) return settled;
  }
  return typed;
}

/** Characters. A longer text is no number and no date. */
const MAX_SHORT = 100;

/** The cell without what spreadsheets write around numbers, dates and times. */
function withoutFormat(cell: string, field: AnyField, { parseDate }: Language): readonly string[] {
  if (cell.length > MAX_SHORT) return [];
  const bare = cell.replace(/\s*(?:\p{Sc}|\b[A-Z]{3}\b|%)\s*/u, '');
  const noMidnight = cell.replace(/(\d)[T ]+0?0:00(?::00(?:\.0+)?)?$/, '$1');
  const noSeconds = cell.replace(/(:\d\d):00$/, '$1');
  const date = field.control === 'date' ? parseDate(noMidnight) : null;
  return date === null ? [bare, noMidnight, noSeconds] : [date];
}

/** Characters of a cell in a message. */
const MAX_SHOWN = 40;

function cut(cell: string): string {
  return cell.length > MAX_SHOWN ? `${cell.slice(0, MAX_SHOWN).toWellFormed()}…` : cell;
}
