/**
 * Guesses which columns are fields of one's own: those with the label of a field, and, for who may make fields, those
 * of which nothing else is known. A new field is never sure: people see it before it is made.
 */
import { COLUMNS, isOwnExport, KIND } from '../items/export/csv.ts';
import type { Definitions } from '../own-fields/definitions.ts';
import { findLabelProblem } from '../own-fields/label-rules.ts';
import { type ColumnFacts, type ColumnGuess, labelColumn } from './columns.ts';
import { findByFormerName, findByLabel, splitLabel } from './field-labels.ts';
import { findNewKinds } from './new-kinds.ts';
import type { NamedField } from './program-columns.ts';
import { programOf } from './programs.ts';
import { listWords, plainText } from './same-text.ts';
import type { ValueGuess, ValueKind } from './value-kinds.ts';
import { readYesNo } from './value-words.ts';

export interface FieldMaker {
  readonly definitions: Definitions;
  /** Whether new fields may be made. */
  readonly canMake: boolean;
}

interface Guessed {
  readonly header: readonly string[];
  readonly facts: readonly ColumnFacts[];
  readonly program: string | null;
  readonly rows: number;
}

/** The part of the rows that have a value, for a new field to be worth it. */
const MIN_FILLED = 0.1;
/** How often each text of a category must come on average, for it to be a kind of things. */
const MIN_EACH = 2;

const CATEGORIES: ReadonlySet<string> = new Set(
  listWords(`
    kind, kind of thing, category, category name, category.name, category.full_name, product group, kategorie, warengruppe, produktgruppe,
    catégorie`),
);

/** Whether a heading says what kind of thing each is. */
export function isCategory(heading: string): boolean {
  return CATEGORIES.has(plainText(heading));
}

export function guessFields(
  columns: Guessed,
  guesses: readonly ColumnGuess[],
  { definitions, canMake }: FieldMaker,
): readonly ColumnGuess[] {
  const { header, facts, program: name, rows } = columns;
  const program = programOf(name);
  const isExport = isOwnExport(header);
  const taken = new Set<string>();
  let hasKind = false;
  return guesses.map((guess, at) => {
    const { values = null } = facts[at] ?? {};
    // The other columns of an export are fields, whatever their headings mean elsewhere.
    const isOurs = isExport && !COLUMNS.some((one) => one === header[at]);
    const kind = hasKind ? null : guessKind(columns, at, guess, { definitions, canMake });
    if (kind !== null) {
      hasKind = true;
      return kind;
    }
    if ((guess.use !== 'in description' && !isOurs) || values === null) return guess;
    const known = program?.columnOf(header[at] ?? '')?.use ?? null;
    // The program has a description for it.
    if (typeof known === 'string') return guess;
    const heading = labelColumn(columns, at);
    const named = findByLabel(heading, definitions);
    const found = named ?? findByFormerName(heading, definitions);
    const { label } = found ?? splitLabel(heading);
    const own = found?.name ?? plainText(label);
    if (label === '' || taken.has(own)) return guess;
    const isKey = known?.kind === 'choice' && values.kind === 'number';
    if (isKey || (found === null && known !== null && saysNothing(known, values)))
      return { use: 'ignore', isSure: true };
    taken.add(own);
    if (named !== null) return { use: named.name, isSure: true };
    if (found !== null) {
      const notice = `“${header[at]}” is an earlier name of the field “${found.label}”`;
      return { use: found.name, isSure: isExport, notice };
    }
    // The heading of another field of every item.
    if (findLabelProblem(label, null, definitions) !== null) return guess;
    const isWorth = isExport || known !== null || values.filled >= rows * MIN_FILLED;
    if (!canMake || !isWorth) return guess;
    return { use: `new ${fitKind(known, values)}`, isSure: false };
  });
}

/** Null for a column that is something else. */
function guessKind(
  columns: Guessed,
  at: number,
  { use }: ColumnGuess,
  { definitions, canMake }: FieldMaker,
): ColumnGuess | null {
  const { header, facts, program } = columns;
  const { values = null } = facts[at] ?? {};
  const isOurs = isOwnExport(header) && header[at] === KIND;
  if (values === null || !(isOurs || (isCategory(header[at] ?? '') && use !== 'ignore')))
    return null;
  const { texts, filled } = values;
  const isNew = findNewKinds(columns, at, definitions).length > 0;
  const hasKinds = definitions.kinds.length > 0;
  if (hasKinds && (isOurs ? !isNew || !canMake : texts.length > 0 && !isNew))
    return { use: 'kind', isSure: true };
  // In a list that nobody knows, it may as well be tags.
  const isLoose = !isOurs && program === null;
  const isTag = texts.some((text) => /[,;|]/.test(text)) || filled < MIN_EACH * texts.length;
  return canMake && isNew && !(isLoose && isTag) ? { use: 'kinds', isSure: false } : null;
}

/** A price of 0 in each row, or one and the same answer: programs write it where there is nothing. */
function saysNothing({ kind }: NamedField, { choices }: ValueGuess): boolean {
  if (choices.length !== 1 || kind === null) return false;
  const [only = ''] = choices;
  return kind === 'money'
    ? /^[0.,]+$/.test(only)
    : kind === 'yes or no' && readYesNo(only) === 'no';
}

/** The kind that the program has, unless the cells do not fit it. */
function fitKind(known: NamedField | null, values: ValueGuess): ValueKind {
  const kind = known?.kind ?? null;
  if (kind === 'money' && values.kind === 'number' && values.unit === '' && values.isFine)
    return 'money';
  if (
    kind === 'yes or no' &&
    values.choices.every((text) => readYesNo(text) !== null) &&
    values.choices.length > 0
  )
    return 'yes or no';
  return kind === 'text' && values.kind !== 'long text' ? 'text' : values.kind;
}
